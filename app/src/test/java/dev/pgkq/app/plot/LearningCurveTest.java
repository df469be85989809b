package dev.pgkq.app.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.app.run.Metrics;
import dev.pgkq.text.UserException;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jfree.chart.axis.NumberAxis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks pixels: the line is blue, the band around it pale blue, everything else grey or white. */
class LearningCurveTest {
    private static final double NAN = Double.NaN;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 50, 500})
    void anyNumberOfIterationsGivesALineAndABand(int iterations) throws IOException {
        Path png = folder.resolve("curve.png");
        Files.writeString(png, "an old image");

        LearningCurve.write(png, metrics(iterations, i -> row(i, 9000.0 - i, 500, 1000)), "title", false);

        BufferedImage image = ImageIO.read(png.toFile());
        assertThat(image.getWidth()).isEqualTo(1000);
        assertThat(image.getHeight()).isEqualTo(600);
        assertThat(count(image, 0, 400, LearningCurveTest::isLine)).isPositive();
        assertThat(count(image, 420, 600, LearningCurveTest::isLine)).isPositive();
        if (iterations > 1) {
            assertThat(count(image, 0, 400, LearningCurveTest::isBand)).isGreaterThan(20_000);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(png);
        }
    }

    @Test
    void theHeightOfTheBandIsTheStandardError() {
        BufferedImage image = LearningCurve.draw(metrics(50, i -> row(i, 0, i <= 25 ? 3 : 1, 10)), "title", false);
        double wide = blueRows(image, 300);
        double narrow = blueRows(image, 800);
        assertThat(narrow).isGreaterThan(80);
        assertThat(wide / narrow).isBetween(2.9, 3.1);
    }

    @Test
    void theLineHasGapsWhereValuesAreMissing() {
        BufferedImage whole = LearningCurve.draw(metrics(60, i -> row(i, -3, NAN, 10)), "title", false);
        BufferedImage broken =
                LearningCurve.draw(metrics(60, i -> row(i, i > 20 && i < 40 ? NAN : -3, NAN, 10)), "title", false);
        assertThat(blueColumns(whole, 0, 400)).isGreaterThan(850);
        assertThat(blueColumns(broken, 0, 400)).isBetween(520L, 620L);
    }

    @Test
    void withoutValuesTheFigureIsStillDrawn() {
        assertThat(count(
                        LearningCurve.draw(metrics(0, i -> row(i, 0, 0, 0)), "t", false),
                        0,
                        600,
                        LearningCurveTest::isLine))
                .isZero();
        assertThat(count(
                        LearningCurve.draw(metrics(5, i -> row(i, NAN, NAN, NAN)), "t", false),
                        0,
                        600,
                        LearningCurveTest::isLine))
                .isZero();
    }

    @Test
    void withoutLengthsThereIsOnePanel() {
        Metrics metrics = new Metrics(
                Path.of("metrics.csv"),
                List.of("iteration", "return_mean", "return_se"),
                List.of(List.of(1.0, 2.0, 0.5), List.of(2.0, 1.0, 0.5)));
        BufferedImage image = LearningCurve.draw(metrics, "title", false);
        assertThat(count(image, 440, 540, LearningCurveTest::isBand)).isPositive();
    }

    @Test
    void aMissingColumnIsNamed() {
        Metrics metrics = new Metrics(Path.of("metrics.csv"), List.of("iteration"), List.of());
        assertThatThrownBy(() -> LearningCurve.draw(metrics, "title", false))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("return_mean");
    }

    @ParameterizedTest
    @CsvSource({"0.9,1", "1,1", "1.1,2", "2.2,5", "5.1,10", "0.031,0.05", "9000,10000", "0,1"})
    void stepsAreRound(double least, double step) {
        assertThat(AxisTicks.roundStep(least)).isEqualTo(step);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,2", "1,50", "1,500", "1,100000", "17,23"})
    void iterationsHaveFewIntegerTicks(double first, double last) {
        NumberAxis axis = new NumberAxis();
        AxisTicks.integers(axis, new double[] {first, last});
        double step = axis.getTickUnit().getSize();
        assertThat(step).isEqualTo(Math.rint(step)).isPositive();
        assertThat((last - first) / step).isLessThanOrEqualTo(10);
    }

    private static Metrics paying(int iterations, int payments) {
        List<List<Double>> rows = new ArrayList<>();
        for (int i = 1; i <= iterations; i++) {
            rows.add(List.of((double) i, 1.0 * i, 0.0, 5.0, i <= payments ? 1.0 : 0.0, 1.0 * Math.min(i, payments)));
        }
        return new Metrics(
                Path.of("metrics.csv"),
                List.of("iteration", "return_mean", "return_se", "length_mean", "paid", "reward_evaluations"),
                rows);
    }

    /** Ten payments in ten iterations, then ten iterations without: the last payment is at nine tenths of the axis. */
    @Test
    void paymentsThatVaryAreTheHorizontalAxis() {
        BufferedImage byPaid = LearningCurve.draw(paying(20, 10), "title", false);
        BufferedImage byIteration = LearningCurve.draw(paying(20, 20), "title", false);
        int[] slow = heights(byPaid, 130, 880);
        int[] all = heights(byIteration, 130, 880);
        assertThat(slow[0] - slow[1])
                .as("half of the rise")
                .isBetween((all[0] - all[1]) / 3, (all[0] - all[1]) * 2 / 3);
        assertThat(count(byPaid, 455, 545, LearningCurveTest::isLine))
                .as("iterations")
                .isPositive();
    }

    /** The curve would be a dot if iterations that paid for nothing were all at the same place. */
    @Test
    void aRunThatPaidOnceHasACurve() {
        assertThat(blueColumns(LearningCurve.draw(paying(20, 1), "title", false), 40, 350))
                .isGreaterThan(700);
    }

    @Test
    void iterationsThatPayForNothingAreSpread() {
        assertThat(LearningCurve.spread(new double[] {3, 3, 3, 4, 7, 7}))
                .containsExactly(3, 3 + 1 / 3.0, 3 + 2 / 3.0, 4, 7, 7.5);
        assertThat(LearningCurve.spread(new double[0])).isEmpty();
    }

    /** The first row with the line of the upper panel, in two columns of pixels. */
    private static int[] heights(BufferedImage image, int... columns) {
        int[] heights = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            int y = 40;
            while (!isLine(new Color(image.getRGB(columns[i], y)))) {
                y++;
            }
            heights[i] = y;
        }
        return heights;
    }

    private static Metrics external(double task) {
        List<List<Double>> rows = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            rows.add(List.of((double) i, task * i, 0.0, 5.0, 3.0 + i));
        }
        List<String> columns = List.of("iteration", "return_mean", "return_se", "length_mean", "paid_return");
        return new Metrics(Path.of("metrics.csv"), columns, rows);
    }

    /** The paid return is the large panel; the task's own is below it, in grey. */
    @Test
    void externalRewardsAreTheReturnAndTheTasksOwnIsBelow() {
        BufferedImage image = LearningCurve.draw(external(100), "title", true);
        assertThat(blueColumns(image, 40, 350)).isGreaterThan(850);
        assertThat(blueColumns(image, 375, 545)).isZero();
        assertThat(count(image, 365, 555, LearningCurveTest::isGreyLine)).isGreaterThan(400);
        assertThatThrownBy(() -> LearningCurve.draw(metrics(3, i -> row(i, 1, 1, 1)), "title", true))
                .hasMessageContaining("paid_return");
    }

    @Test
    void aTaskWithoutARewardOfItsOwnHasNoPanelForIt() {
        BufferedImage image = LearningCurve.draw(external(0), "title", true);
        assertThat(blueColumns(image, 300, 400)).isPositive();
        assertThat(count(image, 0, 540, LearningCurveTest::isGreyLine)).isLessThan(200);
    }

    private static boolean isGreyLine(Color colour) {
        return Math.abs(colour.getRed() - 0x6E) < 3 && colour.getRed() == colour.getBlue();
    }

    private static List<Double> row(int iteration, double mean, double error, double length) {
        return List.of((double) iteration, mean, error, length);
    }

    private static Metrics metrics(int iterations, IntFunction<List<Double>> row) {
        List<List<Double>> rows = new ArrayList<>();
        for (int i = 1; i <= iterations; i++) {
            rows.add(row.apply(i));
        }
        return new Metrics(
                Path.of("metrics.csv"), List.of("iteration", "return_mean", "return_se", "length_mean"), rows);
    }

    private interface Colour {
        boolean is(Color colour);
    }

    private static boolean isLine(Color colour) {
        return colour.getBlue() - colour.getRed() > 120;
    }

    private static boolean isBand(Color colour) {
        int difference = colour.getBlue() - colour.getRed();
        return difference > 20 && difference <= 120;
    }

    private static long count(BufferedImage image, int top, int bottom, Colour colour) {
        return IntStream.range(top, bottom)
                .mapToLong(y -> IntStream.range(0, image.getWidth())
                        .filter(x -> colour.is(new Color(image.getRGB(x, y))))
                        .count())
                .sum();
    }

    private static long blueColumns(BufferedImage image, int top, int bottom) {
        return IntStream.range(0, image.getWidth())
                .filter(x -> IntStream.range(top, bottom).anyMatch(y -> isLine(new Color(image.getRGB(x, y)))))
                .count();
    }

    private static long blueRows(BufferedImage image, int x) {
        return IntStream.range(0, 400)
                .mapToObj(y -> new Color(image.getRGB(x, y)))
                .filter(colour -> isBand(colour) || isLine(colour))
                .count();
    }
}
