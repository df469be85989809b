package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.OtherContents;
import dev.pgkq.rewards.oracle.Evaluator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares the contents of an evaluator, such as its script, and what it is shown with those that gave the answers in the ledger.
 * Answers of different contents are not mixed unless the user says that they belong to the same version.
 */
final class OracleContents {
    private final Evaluator evaluator;
    private int version = 1;
    private boolean reuse;
    private Map<String, String> shown = Map.of();

    OracleContents(Evaluator evaluator) {
        this.evaluator = evaluator;
    }

    synchronized void use(int number, boolean reuseAnswers) {
        version = number;
        reuse = reuseAnswers;
    }

    /** What the evaluator is shown besides the episode. */
    synchronized void show(Map<String, String> settings) {
        shown = Map.copyOf(settings);
    }

    /** The evaluator's identity in the ledger. */
    synchronized String identity() {
        return version == 1 ? evaluator.identity() : evaluator.identity() + " [version " + version + "]";
    }

    /**
     * Checks the contents, and records them if they are the first ones or are accepted.
     *
     * @throws OracleChanged if the ledger has answers that were given by other contents
     */
    synchronized void require(Ledger ledger) {
        Map<String, String> own = evaluator.contents();
        Map<String, String> contents = new TreeMap<>(own);
        contents.putAll(shown);
        // nothing else was shown before ledgers recorded what is
        Optional<OtherContents> other = ledger.recognize(identity(), text(contents), text(own), reuse);
        reuse = false; // what was accepted are the contents at that time
        if (other.isPresent()) {
            long answers = other.get().answers();
            throw new OracleChanged(
                    changed(contents, other.get().contents()) + " changed since " + answers
                            + (answers == 1 ? " answer was" : " answers were") + " recorded in the ledger "
                            + ledger.location(),
                    version);
        }
    }

    private static String text(Map<String, String> contents) {
        return new TreeMap<>(contents)
                .entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining("\n"));
    }

    /** The names whose contents differ, also those that are only on one side. */
    private static String changed(Map<String, String> contents, String before) {
        List<String> now = text(contents).lines().toList();
        List<String> then = before.lines().toList();
        List<String> different = new ArrayList<>(now);
        different.removeAll(then);
        then.stream().filter(line -> !now.contains(line)).forEach(different::add);
        return different.stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .collect(Collectors.collectingAndThen(
                        Collectors.toCollection(TreeSet::new), names -> String.join(" and ", names)));
    }
}
