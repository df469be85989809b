package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.web.AdviserClient.Answer;
import dev.pgkq.rewards.SmallDisk;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.select.Pace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a client hears of a full disk: one sentence, and nothing has changed. */
class AdviserOnAFullDiskTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the disk is mounted by a shell script")
    void aFullDiskIsReportedInOneSentenceAndTheSameRequestsWorkLater() throws Exception {
        List<String> command = new ArrayList<>(Tool.command("-XX:TieredStopAtLevel=1", "-Xmx128m"));
        command.set(command.size() - 1, Child.class.getName());

        String out = new SmallDisk(folder.resolve("disk"), 8).run(command, "$child $disk/adviser $disk/ballast");

        assertThat(out).contains("refused 2 times");
    }

    /** Runs where the disk is mounted: the service and its client in one process. */
    static final class Child {
        private Child() {}

        /** Arguments: a folder on the small disk, a file to fill it with. */
        public static void main(String[] arguments) throws Exception {
            Path ballast = Path.of(arguments[1]);
            Options options = Options.defaults().withPace(new Pace.Fixed(3));
            try (DurableAdviser adviser = DurableAdviser.open(Path.of(arguments[0]), options);
                    AdviserServer server = AdviserServer.start(AdviserServer.Settings.at(0), adviser, "test")) {
                AdviserClient client = new AdviserClient(server.address());
                // half a megabyte, which does not fit into what is free in the files
                String features = AdviserServerTest.features(60, 2000, 1);
                String ids = "[\"a\",\"b\",\"c\"]";
                client.post(
                        "rounds", "{\"features\":" + AdviserServerTest.features(3, 2000, 2) + ",\"ids\":" + ids + "}");
                fill(ballast);
                int refused = refused(client, "rounds", "{\"features\":" + features + "}", ballast, 201);
                fill(ballast);
                refused += refused(client, "rounds/1/scores", "{\"scores\":{\"a\":1,\"b\":2,\"c\":3}}", ballast, 200);
                System.out.println("refused " + refused + " times");
            }
        }

        /** @return 1 if the request was refused while the disk was full */
        private static int refused(AdviserClient client, String path, String body, Path ballast, int status)
                throws Exception {
            String before = client.get("status").text() + client.get("rounds").text();
            Answer full = client.post(path, body);
            assertThat(full.status()).as(full.text()).isEqualTo(507);
            assertThat(full.error()).contains("is full").doesNotContain("\n").doesNotContain("Exception");
            assertThat(client.get("status").text() + client.get("rounds").text())
                    .isEqualTo(before);
            Files.delete(ballast);
            Answer later = client.post(path, body);
            assertThat(later.status()).as(later.text()).isEqualTo(status);
            return 1;
        }

        private static void fill(Path ballast) throws IOException {
            byte[] block = new byte[1 << 10];
            try (OutputStream out = Files.newOutputStream(ballast)) {
                while (true) {
                    out.write(block);
                }
            } catch (IOException full) {
                // as wanted
            }
        }
    }
}
