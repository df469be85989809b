package dev.pgkq.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurveTest {
    private static final double NAN = Double.NaN;

    private static Curve curve(double... pairs) {
        double[] x = IntStream.range(0, pairs.length / 2)
                .mapToDouble(i -> pairs[2 * i])
                .toArray();
        double[] y = IntStream.range(0, pairs.length / 2)
                .mapToDouble(i -> pairs[2 * i + 1])
                .toArray();
        return Curve.of(x, y);
    }

    @Test
    void pointsThatAreNotFiniteOrGoBackAreDropped() {
        Curve curve = curve(1, 10, 2, NAN, 2, 20, 2, 30, 1.5, 40, 3, 50);
        assertThat(curve.x()).containsExactly(1, 2, 3);
        assertThat(curve.y()).containsExactly(10, 20, 50);
    }

    @Test
    void itIsLinearBetweenPoints() {
        Curve curve = curve(0, 0, 10, 100, 20, 0);
        assertThat(curve.at(5)).isEqualTo(50);
        assertThat(curve.at(17.5)).isEqualTo(25);
        assertThat(curve.at(10)).isEqualTo(100);
        assertThat(curve.at(-1)).isZero();
        assertThat(curve.at(99)).isZero();
    }

    @Test
    void itReachesAThresholdBetweenItsPoints() {
        Curve curve = curve(8, 100, 16, 300, 24, 200, 32, 500);
        assertThat(curve.firstReaching(150)).hasValue(10);
        assertThat(curve.firstReaching(300)).hasValue(16);
        assertThat(curve.firstReaching(350).orElseThrow()).isCloseTo(28, within(1e-12));
        assertThat(curve.firstReaching(50)).hasValue(8);
        assertThat(curve.firstReaching(501)).isEmpty();
    }

    /** Iterations are one apart, so the mean is the area of the step function over them, divided by their number. */
    @Test
    void theMeanOfALineIsItsMiddle() {
        Curve line = Curve.of(
                IntStream.rangeClosed(1, 101).asDoubleStream().toArray(),
                IntStream.rangeClosed(1, 101).mapToDouble(i -> 3 * i + 1).toArray());
        assertThat(line.mean()).isEqualTo(3 * 51 + 1);
        assertThat(line.between(10, 20).mean()).isEqualTo(3 * 15 + 1);
    }

    /** y = 2 + 3x from x = 4 on, and 14 before: 56 for the first four, then 2 (e − 4) + 3 (e² − 16) / 2. */
    @ParameterizedTest
    @ValueSource(doubles = {4, 5.5, 8, 12, 19.25, 20})
    void theMeanOfALineUpToAPositionIsThatOfItsIntegral(double end) {
        double area = 56 + 2 * (end - 4) + 1.5 * (end * end - 16);
        assertThat(curve(4, 14, 8, 26, 20, 62).meanUpTo(end)).isCloseTo(area / end, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 8, 20, 24, 100})
    void theMeanOfAConstantUpToAPositionIsTheConstant(double end) {
        assertThat(curve(8, -7, 16, -7, 24, -7).meanUpTo(end)).isCloseTo(-7, within(1e-12));
    }

    @Test
    void aCurveIsConstantBeforeItsFirstPoint() {
        assertThat(curve(64, 30, 128, 90).meanUpTo(40)).isEqualTo(30);
        // (64 · 30 + 64 · 60) / 128
        assertThat(curve(64, 30, 128, 90).meanUpTo(128)).isEqualTo(45);
    }

    /** Compares with a sum over thin strips, independent of trapezoids. */
    @Test
    void theMeanUpToAPositionAgreesWithThinStrips() {
        RandomStream random = RandomStream.of(3, Purpose.CHECK);
        for (int trial = 0; trial < 20; trial++) {
            double[] x = new double[12];
            double[] y = new double[12];
            for (int i = 0; i < x.length; i++) {
                x[i] = (i == 0 ? 0 : x[i - 1]) + 1 + 9 * random.nextDouble();
                y[i] = random.nextGaussian();
            }
            Curve curve = Curve.of(x, y);
            double end = x[11] * random.nextDouble();
            int strips = 20_000;
            double mean = IntStream.range(0, strips)
                    .mapToDouble(i -> curve.at((i + 0.5) * end / strips))
                    .average()
                    .orElseThrow();
            // only strips with a bend have an error, which is less than the width times the change of slope
            assertThat(curve.meanUpTo(end)).isCloseTo(mean, within(1e-5));
        }
    }

    @Test
    void curvesWithTheSamePointsAreAveragedAtThem() {
        MeanCurve mean = MeanCurve.of(List.of(curve(1, 0, 2, 10), curve(1, 4, 2, 20)));
        assertThat(mean.x()).containsExactly(1, 2);
        assertThat(mean.mean()).containsExactly(2, 15);
        assertThat(mean.error()).containsExactly(2, 5);
        assertThat(mean.count()).isEqualTo(2);
    }

    @Test
    void aLongerCurveIsCutWhereTheOthersEnd() {
        MeanCurve mean = MeanCurve.of(List.of(curve(1, 0, 2, 10, 3, 99), curve(1, 4, 2, 20)));
        assertThat(mean.x()).containsExactly(1, 2);
    }

    /** Interpolation does not change lines. */
    @Test
    void curvesAreInterpolatedAtThePointsOfTheOthers() {
        MeanCurve mean = MeanCurve.of(List.of(curve(0, 0, 3, 3, 10, 10), curve(1, 3, 4, 12, 8, 24, 12, 36)));
        assertThat(mean.x()).containsExactly(1, 3, 4, 8, 10);
        for (int i = 0; i < mean.x().length; i++) {
            double x = mean.x()[i];
            assertThat(mean.mean()[i]).isCloseTo((x + 3 * x) / 2, within(1e-12));
            assertThat(mean.error()[i]).isCloseTo(x, within(1e-12)); // half the distance of x and 3 x
        }
    }

    /** The mean of curves that bend at different positions is linear between all their points, so nothing is lost. */
    @Test
    void theMeanIsExactBetweenItsPoints() {
        Curve one = curve(1, 5, 2, 40, 9, 41, 30, 7);
        Curve two = curve(1, 1, 3, -20, 4, 90, 30, 3);
        MeanCurve mean = MeanCurve.of(List.of(one, two));
        Curve line = Curve.of(mean.x(), mean.mean());
        for (double x = 1; x <= 30; x += 0.25) {
            assertThat(line.at(x)).isCloseTo((one.at(x) + two.at(x)) / 2, within(1e-12));
        }
    }

    @Test
    void manyPositionsAreThinnedOutBetweenTheSameEnds() {
        double[] y = new double[150];
        Curve whole = Curve.of(IntStream.range(0, 150).asDoubleStream().toArray(), y);
        Curve halves =
                Curve.of(IntStream.range(0, 150).mapToDouble(i -> i + 0.5).toArray(), y);
        MeanCurve mean = MeanCurve.of(List.of(whole, halves));
        assertThat(mean.x()).hasSize(200).isSorted().doesNotHaveDuplicates();
        assertThat(mean.x()[0]).isEqualTo(0.5);
        assertThat(mean.x()[199]).isEqualTo(149);
        Curve longer = Curve.of(IntStream.range(0, 500).asDoubleStream().toArray(), new double[500]);
        assertThat(MeanCurve.of(List.of(longer, longer)).x()).hasSize(500);
    }

    @Test
    void aSingleCurveHasNoErrorAndNoCurveNoPoints() {
        assertThat(MeanCurve.of(List.of(curve(1, 5))).error()).containsExactly(NAN);
        assertThat(MeanCurve.of(List.of()).isEmpty()).isTrue();
        assertThat(MeanCurve.of(List.of(curve(1, 1), curve(5, 1))).isEmpty()).isTrue();
    }
}
