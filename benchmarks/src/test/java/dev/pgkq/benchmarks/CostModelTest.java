package dev.pgkq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostModelTest {
    private static final double WITHIN = 1.25;

    private static void assertNear(double modelled, double measured) {
        assertThat(modelled).isBetween(measured / WITHIN, measured * WITHIN);
    }

    /** Seconds on two cores; docs/scaling.md says how they were measured. */
    @Test
    void theModelPredictsTheMeasurements() {
        CostModel large = new CostModel(2, 4096, 76, true, 2);
        assertNear(large.sampling(), 12.4);
        assertNear(large.gram() + large.exchange() + large.toDriver() + large.choosing(), 5.6);
        assertNear(large.learning(), 6.5);
        CostModel medium = new CostModel(2, 1024, 170, true, 2);
        assertNear(medium.sampling(), 6.1);
        assertNear(medium.gram(), 0.44);
        assertNear(medium.learning(), 3.5);
        CostModel exact = new CostModel(2, 64, 499, false, 2);
        assertNear(exact.gram(), 0.34);
    }

    /** The page shows the predictions of the model as it is now. */
    @Test
    void theDocsShowTheTable() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int cores : new int[] {2, 16, 256, 4096}) {
            for (int episodes : new int[] {64, 4096, 65_536, 1_000_000}) {
                int threads = cores == 2 ? 2 : 16;
                lines.add(new CostModel(cores, episodes, 200, episodes > 64, threads).markdown());
            }
        }
        String page = Files.readString(Path.of("..", "docs", "scaling.md"));
        assertThat(page).contains(lines);
    }
}
