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
 * Runs sorted into groups and comparisons.
 *
 * @param comparisons ordered by task, then base
 * @param excluded runs that are in no group, with reasons
 * @param missing variants and seeds that exist in some comparisons but not in others
 */
public record Study(List<Comparison> comparisons, List<ExcludedRun> excluded, List<String> missing) {
    /** The order in which variants are shown: the large batch first, the controls last. */
    public static final List<Variant> ORDER = List.of(
            Variant.LARGE,
            Variant.KQ_BAYES,
            Variant.KQ_PLUS,
            Variant.KQ,
            Variant.KQ_NO_MEAN,
            Variant.SMALL,
            Variant.RANDOM_BAYES,
            Variant.RANDOM_MEAN,
            Variant.RANDOM,
            Variant.IMPUTE,
            Variant.MODEL_ONLY);

    /** Runs with fewer iterations than this share of the longest run of their group are excluded. */
    private static final double MIN_SHARE = 0.5;

    /** What comparable runs have in common. */
    private record ComparisonKey(String task, Base base) {}

    /**
     * Sorts the runs into groups and comparisons.
     *
     * @throws UserException if no run has an iteration
     */
    public static Study of(RunFinder.Found found) {
        if (found.runs().isEmpty()) {
            String first = found.excluded().isEmpty()
                    ? ""
                    : "; " + found.excluded().getFirst().run() + ": "
                            + found.excluded().getFirst().reason();
            throw new UserException(
                    "none of the " + found.excluded().size() + " runs has completed an iteration" + first);
        }
        List<ExcludedRun> excluded = new ArrayList<>(found.excluded());
        Map<ComparisonKey, List<StudyRun>> byKey = by(
                found.runs(),
                run -> new ComparisonKey(run.task(), run.algorithm().base()));
        List<Comparison> comparisons = new ArrayList<>();
        byKey.forEach((key, runs) -> comparisons.add(comparison(key, runs, excluded)));
        comparisons.sort(Comparator.comparing(Comparison::task).thenComparing(Comparison::base));
        return new Study(List.copyOf(comparisons), List.copyOf(excluded), missing(comparisons));
    }

    private static Comparison comparison(ComparisonKey key, List<StudyRun> runs, List<ExcludedRun> excluded) {
        Map<Variant, List<StudyRun>> variants = by(runs, run -> run.algorithm().variant());
        List<Group> groups = new ArrayList<>();
        for (Variant variant : ORDER) {
            Map<Map<String, String>, List<StudyRun>> kinds =
                    by(variants.getOrDefault(variant, List.of()), StudyRun::settings);
            kinds.forEach((settings, same) -> groups.add(new Group(
                    key.task, key.base, variant, differences(settings, kinds.keySet()), repetitions(same, excluded))));
        }
        return Comparison.of(key.task, key.base, groups);
    }

    /** The settings that are not the same in all. */
    private static Map<String, String> differences(Map<String, String> settings, Collection<Map<String, String>> all) {
        Map<String, String> differing = new TreeMap<>(settings);
        differing
                .entrySet()
                .removeIf(entry ->
                        all.stream().allMatch(other -> entry.getValue().equals(other.get(entry.getKey()))));
        return differing;
    }

    /** One run per seed, the longest; excludes runs that are much shorter than the others. */
    private static List<StudyRun> repetitions(List<StudyRun> runs, List<ExcludedRun> excluded) {
        int longest = runs.stream().mapToInt(StudyRun::iterations).max().orElse(0);
        List<StudyRun> kept = new ArrayList<>();
        by(runs, StudyRun::seed).values().forEach(same -> {
            StudyRun best = same.stream()
                    .max(Comparator.comparingInt(StudyRun::iterations))
                    .orElseThrow();
            for (StudyRun run : same) {
                if (run != best) {
                    excluded.add(new ExcludedRun(
                            run.name(),
                            "same settings and seed as " + best.name() + ", which has " + best.iterations()
                                    + " iterations where this run has " + run.iterations()));
                } else if (run.iterations() < MIN_SHARE * longest) {
                    excluded.add(new ExcludedRun(
                            run.name(),
                            run.iterations() + " iterations, less than half of the " + longest + " of its group; "
                                    + run.history().words()));
                } else {
                    kept.add(run);
                }
            }
        });
        kept.sort(Comparator.comparingLong(StudyRun::seed));
        return kept;
    }

    /** Variants and seeds that exist in other comparisons. */
    private static List<String> missing(List<Comparison> comparisons) {
        TreeSet<Variant> variants = new TreeSet<>();
        TreeSet<Long> seeds = new TreeSet<>();
        comparisons.forEach(comparison -> comparison.groups().forEach(group -> {
            variants.add(group.variant());
            group.runs().forEach(run -> seeds.add(run.seed()));
        }));
        List<String> missing = new ArrayList<>();
        for (Comparison comparison : comparisons) {
            String where = comparison.task() + ", " + baseName(comparison.base()) + ": ";
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

    /** The name of a base in algorithm names. */
    public static String baseName(Base base) {
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
