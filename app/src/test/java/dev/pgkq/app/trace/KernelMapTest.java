package dev.pgkq.app.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import org.junit.jupiter.api.Test;

class KernelMapTest {
    /** With the kernel ⟨p, q⟩ of points in the plane, the map preserves all distances. */
    @Test
    void pointsOfThePlaneKeepTheirDistances() {
        int count = 12;
        double[][] points = points(count, 2);
        KernelMap map = KernelMap.of(gram(points), new double[count]);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                double distance = Math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]);
                assertThat(Math.hypot(map.x()[i] - map.x()[j], map.y()[i] - map.y()[j]))
                        .isCloseTo(distance, offset(1e-9));
            }
        }
        assertThat(map.shares()[0] + map.shares()[1]).isCloseTo(1, offset(1e-9));
    }

    /** Components are centred, uncorrelated, and explain the reported share of the variance. */
    @Test
    void componentsAreThoseOfPrincipalComponentAnalysis() {
        int count = 30;
        double[][] points = points(count, 5);
        KernelMap map = KernelMap.of(gram(points), new double[count]);
        double[] means = new double[5];
        for (double[] point : points) {
            for (int k = 0; k < 5; k++) {
                means[k] += point[k] / count;
            }
        }
        double variance = 0;
        double ofX = 0;
        double together = 0;
        double sum = 0;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 5; k++) {
                variance += Math.pow(points[i][k] - means[k], 2);
            }
            ofX += map.x()[i] * map.x()[i];
            together += map.x()[i] * map.y()[i];
            sum += map.x()[i];
        }
        assertThat(sum).isCloseTo(0, offset(1e-9));
        assertThat(together).isCloseTo(0, offset(1e-9));
        assertThat(map.shares()[0]).isCloseTo(ofX / variance, offset(1e-9)).isGreaterThan(map.shares()[1]);
    }

    @Test
    void ofTwoMirrorImagesTheOneThatGrowsAsAsked() {
        double[][] points = points(10, 3);
        double[] towards = new double[10];
        for (int i = 0; i < 10; i++) {
            towards[i] = i * i;
        }
        KernelMap one = KernelMap.of(gram(points), towards);
        for (int i = 0; i < 10; i++) {
            towards[i] = -towards[i];
        }
        KernelMap other = KernelMap.of(gram(points), towards);
        for (int i = 0; i < 10; i++) {
            assertThat(other.x()[i]).isEqualTo(-one.x()[i]);
        }
    }

    @Test
    void oneEpisodeAndEqualEpisodesAreInTheMiddle() {
        assertThat(KernelMap.of(GramMatrix.of(new double[] {3}), new double[] {1})
                        .x())
                .containsExactly(new double[1], offset(0.0));
        KernelMap equal = KernelMap.of(GramMatrix.of(new double[] {2, 2, 2, 2}), new double[] {1, 2});
        assertThat(equal.x()).containsExactly(new double[2], offset(0.0));
        assertThat(equal.shares()).containsExactly(0, 0);
    }

    private static double[][] points(int count, int dimensions) {
        RandomStream random = RandomStream.of(5, Purpose.CHECK);
        double[][] points = new double[count][dimensions];
        for (double[] point : points) {
            for (int k = 0; k < dimensions; k++) {
                point[k] = (k + 1) * random.nextGaussian();
            }
        }
        return points;
    }

    private static GramMatrix gram(double[][] points) {
        int count = points.length;
        double[] values = new double[count * count];
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                for (int k = 0; k < points[i].length; k++) {
                    values[i * count + j] += points[i][k] * points[j][k];
                }
            }
        }
        return GramMatrix.of(values);
    }
}
