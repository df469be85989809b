package dev.pgkq.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.rewards.ledger.Claim;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.request.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerCommandTest {
    @TempDir
    Path folder;

    private static EvaluationId wanted(int index) {
        float[] actions = {index, 1};
        Episode episode = new Episode(7, index, 2, actions, actions, actions, new double[3], Ending.TERMINATED);
        return EvaluationId.of("a judge, strict", "Hopper-v4", "first", episode);
    }

    private void spend() {
        try (Ledger ledger = Ledger.open(folder.toString())) {
            for (int index = 0; index < 3; index++) {
                assertThat(ledger.claim(wanted(index))).isInstanceOf(Claim.Mine.class);
                ledger.attempted(wanted(index).key());
            }
            ledger.done(wanted(0).key(), Reply.ofSteps(new double[] {1.5, 2}, 0.5));
            ledger.failed(wanted(1).key(), "the judge said \"no\",\nand left");
            assertThat(ledger.claim(wanted(0))).isInstanceOf(Claim.Done.class);
        }
    }

    @Test
    void reportsWhatARunSpent() {
        spend();
        Tool.Result result = Tool.run("ledger", folder.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("1 paid for, cost 0.500; 1 repeated request was answered for free")
                .contains("0 being evaluated", "1 in doubt", "2 without an answer count as paid for, cost 0")
                .contains("Hopper-v4")
                .contains("first")
                .contains("the judge said \"no\", and left");
        assertThat(Tool.run("ledger", folder.resolve("ledger.db").toString()).out())
                .isEqualTo(result.out());
    }

    @Test
    void writesAllEntriesForOtherPrograms() throws IOException {
        spend();
        Path csv = folder.resolve("entries.csv");
        Tool.Result result = Tool.run("ledger", folder.toString(), "--csv", csv.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("1 paid for").contains("all entries: " + csv);
        String text = Files.readString(csv, UTF_8);
        assertThat(text)
                .startsWith("key,oracle,task,run,iteration,episode,steps,state,attempts,in_doubt,reused,requested,")
                .contains(wanted(0).key() + ",\"a judge, strict\",Hopper-v4,first,7,0,2,done,1,0,1,20")
                .contains(",0.5,3.5,,0,0")
                .contains(wanted(1).key() + ",\"a judge, strict\",Hopper-v4,first,7,1,2,failed,1,0,0,20")
                .contains(",\"the judge said \"\"no\"\",\nand left\"\n")
                .contains(wanted(2).key() + ",\"a judge, strict\",Hopper-v4,first,7,2,2,running,1,0,0,20");
    }

    @Test
    void whatIsNoLedgerIsSaid() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "x".repeat(5000));
        refused(folder.toString(), "has no ledger.db");
        refused(folder.resolve("missing").toString(), "there is no ledger");
        refused(file.toString(), "it is not a database");
        refused("jdbc:oracle:thin:@host", "a ledger is a file or a PostgreSQL database");
        assertThat(List.of(Files.readString(file))).containsExactly("x".repeat(5000));
    }

    private static void refused(String location, String words) {
        Tool.Result result = Tool.run("ledger", location);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err()).startsWith("pgkq: ").contains(words).doesNotContain("Exception");
    }
}
