package dev.pgkq.app.study;

import dev.pgkq.text.UserException;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs, sorted into comparisons of groups.
 *
 * @param comparisons by task, then base
 * @param leftOut runs that are in no group, and why
 * @param missing what one would expect beside what is there: variants and seeds that others have
 */
public record Study(List<Comparison> comparisons, List<LeftOut> leftOut, List<String> missing) {
    /** The order in which variants are shown: from what all try to reach to the controls. */
    public static final List<Variant> ORDER = List.of(
            Variant.LARGE,
            Variant.KQ_PLUS,
            Variant.KQ,
            Variant.KQ_NO_MEAN,
            Variant.SMALL,
            Variant.RANDOM_MEAN,
            Variant.RANDOM,
            Variant.IMPUTE,
            Variant.MODEL_ONLY);

    /** A run with fewer iterations than this share of the longest of its group has only begun, or broke. */
    private static final double BEGUN = 0.5;

    /** What runs have in common that can be compared. */
    private record Arena(String task, Base base) {}

    /** Sorts the runs that were found. */
    public static Study of(RunFinder.Found found) {
        if (found.runs().isEmpty()) {
            String first = found.leftOut().isEmpty()
                    ? ""
                    : "; " + found.leftOut().getFirst().run() + ": "
                            + found.leftOut().getFirst().why();
            throw new UserException("none of the " + found.leftOut().size() + " runs has an iteration to show" + first);
        }
        List<LeftOut> leftOut = new ArrayList<>(found.leftOut());
        Map<Arena, List<StudyRun>> arenas =
                by(found.runs(), run -> new Arena(run.task(), run.algorithm().base()));
        List<Comparison> comparisons = new ArrayList<>();
        arenas.forEach((arena, runs) -> comparisons.add(comparison(arena, runs, leftOut)));
        comparisons.sort(Comparator.comparing(Comparison::task).thenComparing(Comparison::base));
        return new Study(List.copyOf(comparisons), List.copyOf(leftOut), missing(comparisons));
    }

    private static Comparison comparison(Arena arena, List<StudyRun> runs, List<LeftOut> leftOut) {
        Map<Variant, List<StudyRun>> variants = by(runs, run -> run.algorithm().variant());
        List<Group> groups = new ArrayList<>();
        for (Variant variant : ORDER) {
            Map<Map<String, String>, List<StudyRun>> kinds =
                    by(variants.getOrDefault(variant, List.of()), StudyRun::settings);
            kinds.forEach((settings, same) -> groups.add(new Group(
                    arena.task,
                    arena.base,
                    variant,
                    differences(settings, kinds.keySet()),
                    repetitions(same, leftOut))));
        }
        return Comparison.of(arena.task, arena.base, groups);
    }

    /** The part of the settings in which not all agree. */
    private static Map<String, String> differences(Map<String, String> settings, Collection<Map<String, String>> all) {
        Map<String, String> differing = new TreeMap<>(settings);
        differing
                .entrySet()
                .removeIf(entry ->
                        all.stream().allMatch(other -> entry.getValue().equals(other.get(entry.getKey()))));
        return differing;
    }

    /** One run a seed, the longest; without those that have only begun. */
    private static List<StudyRun> repetitions(List<StudyRun> runs, List<LeftOut> leftOut) {
        int longest = runs.stream().mapToInt(StudyRun::iterations).max().orElse(0);
        List<StudyRun> kept = new ArrayList<>();
        by(runs, StudyRun::seed).values().forEach(same -> {
            StudyRun best = same.stream()
                    .max(Comparator.comparingInt(StudyRun::iterations))
                    .orElseThrow();
            for (StudyRun run : same) {
                if (run != best) {
                    leftOut.add(new LeftOut(run.name(), "the same settings and seed as " + best.name()));
                } else if (run.iterations() < BEGUN * longest) {
                    leftOut.add(new LeftOut(
                            run.name(),
                            run.iterations() + " iterations, less than half of the " + longest + " of its group; "
                                    + run.story().words()));
                } else {
                    kept.add(run);
                }
            }
        });
        kept.sort(Comparator.comparingLong(StudyRun::seed));
        return kept;
    }

    /** Variants and seeds that are there elsewhere. */
    private static List<String> missing(List<Comparison> comparisons) {
        TreeSet<Variant> variants = new TreeSet<>();
        TreeSet<Long> seeds = new TreeSet<>();
        comparisons.forEach(comparison -> comparison.groups().forEach(group -> {
            variants.add(group.variant());
            group.runs().forEach(run -> seeds.add(run.seed()));
        }));
        List<String> missing = new ArrayList<>();
        for (Comparison comparison : comparisons) {
            String where = comparison.task() + ", " + words(comparison.base()) + ": ";
            List<String> absent = ORDER.stream()
                    .filter(variant -> variants.contains(variant)
                            && comparison.groups().stream().noneMatch(group -> group.variant() == variant))
                    .map(Group::name)
                    .toList();
            if (!absent.isEmpty()) {
                missing.add(where + "no run of " + String.join(", ", absent));
            }
            comparison
                    .groups()
                    .forEach(group -> missingSeeds(group, seeds)
                            .ifPresent(text -> missing.add(where + group.label() + " with " + text)));
        }
        return List.copyOf(missing);
    }

    private static Optional<String> missingSeeds(Group group, TreeSet<Long> all) {
        TreeSet<Long> absent = new TreeSet<>(all);
        group.runs().forEach(run -> absent.remove(run.seed()));
        String list = absent.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return absent.isEmpty() ? Optional.empty() : Optional.of((absent.size() == 1 ? "seed " : "seeds ") + list);
    }

    /** A base as it is written in names of algorithms. */
    public static String words(Base base) {
        return base.name().toLowerCase(Locale.ROOT);
    }

    public List<String> tasks() {
        return comparisons.stream().map(Comparison::task).distinct().toList();
    }

    public List<Base> bases() {
        return comparisons.stream().map(Comparison::base).distinct().sorted().toList();
    }

    public List<Group> groups() {
        return comparisons.stream()
                .flatMap(comparison -> comparison.groups().stream())
                .toList();
    }

    public List<StudyRun> runs() {
        return groups().stream().flatMap(group -> group.runs().stream()).toList();
    }

    private static <K, V> Map<K, List<V>> by(List<V> values, Function<V, K> key) {
        return values.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }
}
