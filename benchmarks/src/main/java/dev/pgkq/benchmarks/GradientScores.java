package dev.pgkq.benchmarks;

import dev.pgkq.benchmarks.GradientStudy.Score;
import dev.pgkq.statistics.Bootstrap;
import dev.pgkq.statistics.Interval;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.statistics.StudentT;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The scores of one task, by stage of training and contender. */
final class GradientScores {
    private final String task;
    private final int batch;
    private final int select;
    private final List<Contender> contenders;
    private final List<Integer> stages;
    private final List<List<List<Scored>>> scores = new ArrayList<>();

    private record Scored(int run, Score score) {}

    /**
     * @param stages last iteration of each stage
     */
    GradientScores(String task, int batch, int select, List<Contender> contenders, List<Integer> stages) {
        this.task = task;
        this.batch = batch;
        this.select = select;
        this.contenders = contenders;
        this.stages = stages;
        for (int s = 0; s < stages.size(); s++) {
            List<List<Scored>> stage = new ArrayList<>();
            contenders.forEach(contender -> stage.add(new ArrayList<>()));
            scores.add(stage);
        }
    }

    /** Adds the scores of all contenders for an iteration of a run. */
    void add(int run, int iteration, List<Score> ofContenders) {
        int stage = 0;
        while (iteration > stages.get(stage)) {
            stage++;
        }
        for (int c = 0; c < ofContenders.size(); c++) {
            scores.get(stage).get(c).add(new Scored(run, ofContenders.get(c)));
        }
    }

    private String title() {
        return String.format(
                Locale.ROOT,
                "%s: squared error of the gradient relative to its square, ± standard error over runs, and cosine; %d of %d paid for",
                task,
                select,
                batch);
    }

    private List<List<String>> lines() {
        List<List<String>> lines = new ArrayList<>();
        List<String> headings = new ArrayList<>(List.of("contender"));
        int from = 1;
        for (int s = 0; s < stages.size(); s++) {
            headings.add("iterations " + from + " to " + stages.get(s) + " ("
                    + scores.get(s).getFirst().size() + " batches)");
            from = stages.get(s) + 1;
        }
        lines.add(headings);
        for (int c = 0; c < contenders.size(); c++) {
            List<String> line = new ArrayList<>(List.of(contenders.get(c).name()));
            for (List<List<Scored>> stage : scores) {
                line.add(cell(stage.get(c)));
            }
            lines.add(line);
        }
        return lines;
    }

    /**
     * The errors of contenders against those of the best control, in the same batches: the mean over runs of the logarithm of
     * the ratio, as a factor, with its 95 % interval. The best control is the one with the smallest mean logarithm.
     */
    private List<List<String>> ratios() {
        List<List<String>> lines = new ArrayList<>();
        List<String> headings = new ArrayList<>(List.of("contender"));
        List<double[]> best = new ArrayList<>();
        for (List<List<Scored>> stage : scores) {
            int control = bestControl(stage);
            headings.add("error / error of " + contenders.get(control).name());
            best.add(logErrors(stage.get(control)));
        }
        lines.add(headings);
        for (int c = 0; c < contenders.size(); c++) {
            List<String> line = new ArrayList<>(List.of(contenders.get(c).name()));
            for (int s = 0; s < scores.size(); s++) {
                line.add(ratio(logErrors(scores.get(s).get(c)), best.get(s)));
            }
            lines.add(line);
        }
        return lines;
    }

    private int bestControl(List<List<Scored>> stage) {
        return IntStream.range(0, contenders.size())
                .filter(c -> contenders.get(c).isControl())
                .boxed()
                .min(Comparator.comparingDouble(
                        c -> Statistics.of(logErrors(stage.get(c))).mean()))
                .orElseThrow();
    }

    private static String ratio(double[] logErrors, double[] ofControl) {
        double[] differences = new double[logErrors.length];
        for (int run = 0; run < differences.length; run++) {
            differences[run] = logErrors[run] - ofControl[run];
        }
        Interval interval = StudentT.ofMean(differences, Bootstrap.LEVEL);
        return brief(Math.exp(Statistics.of(differences).mean())) + " [" + brief(Math.exp(interval.low())) + ", "
                + brief(Math.exp(interval.high())) + "]";
    }

    /** The mean logarithm of the error in each run. */
    private static double[] logErrors(List<Scored> scores) {
        return scores.stream()
                .collect(Collectors.groupingBy(
                        Scored::run,
                        TreeMap::new,
                        Collectors.averagingDouble(each -> Math.log(each.score.squaredError()))))
                .values()
                .stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private boolean hasControl() {
        return contenders.stream().anyMatch(Contender::isControl);
    }

    private static String cell(List<Scored> scores) {
        double mean = mean(scores, each -> each.score.squaredError());
        return String.format(
                Locale.ROOT,
                "%s ± %s  %.3f",
                brief(mean),
                brief(standardError(scores)),
                mean(scores, each -> each.score.cosine()));
    }

    private static double mean(List<Scored> scores, ToDoubleFunction<Scored> what) {
        return scores.stream().mapToDouble(what).average().orElse(Double.NaN);
    }

    /** Computed from the means of the runs, because batches of one run share policy and model and are not independent. */
    private static double standardError(List<Scored> scores) {
        double[] means = scores.stream()
                .collect(Collectors.groupingBy(
                        Scored::run, TreeMap::new, Collectors.averagingDouble(each -> each.score.squaredError())))
                .values()
                .stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        return Statistics.of(means).standardError();
    }

    /** Two significant digits. */
    private static String brief(double value) {
        int decimals = value > 0 ? (int) Math.clamp(1 - Math.floor(Math.log10(value)), 0, 6) : 1;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    String text() {
        return title() + "\n" + Table.aligned(lines()) + (hasControl() ? "\n" + Table.aligned(ratios()) : "");
    }

    String markdown() {
        return title() + "\n\n" + Table.markdown(lines()) + (hasControl() ? "\n" + Table.markdown(ratios()) : "");
    }
}
