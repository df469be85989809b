package dev.pgkq.mujoco;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.env.Environment;
import dev.pgkq.env.Figure;
import dev.pgkq.env.Task;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlanarFigureTest {
    /** Of {@code geom_xpos} and {@code geom_xmat} in {@code mjData} of version 2.2.2. */
    private static final long GEOM_POSITIONS = 40536;

    private static final long GEOM_ROTATIONS = 40544;
    private static final int CAPSULE = 3;

    static Stream<Task> tasks() {
        return new MujocoTasks().tasks().stream();
    }

    /** A capsule's ends are its middle and half its length along the third column of its rotation, to both sides. */
    @ParameterizedTest
    @MethodSource("tasks")
    void capsulesAreWhereTheSimulatorHasThem(Task task) {
        try (Environment environment = task.open()) {
            MujocoModel model = ((MujocoEnvironment) environment).model();
            Figure figure = environment.figure().orElseThrow();
            try (Simulation simulation = new Simulation(model)) {
                for (int pose = 0; pose < 20; pose++) {
                    double[] qpos = pose(model.positions(), pose);
                    simulation.start(qpos, new double[model.velocities()]);
                    List<Double> expected = capsules(model, simulation);
                    double[] seen = figure.ends(qpos);
                    assertThat(expected).hasSizeGreaterThanOrEqualTo(12);
                    for (int i = 0; i < expected.size(); i++) {
                        assertThat(seen[i]).as("pose %d, number %d", pose, i).isCloseTo(expected.get(i), offset(1e-12));
                    }
                }
            }
        }
    }

    private static double[] pose(int size, int seed) {
        RandomStream random = RandomStream.of(seed, Purpose.CHECK);
        double[] qpos = new double[size];
        for (int i = 0; i < size; i++) {
            qpos[i] = random.uniform(-2, 2);
        }
        return qpos;
    }

    private static List<Double> capsules(MujocoModel model, Simulation simulation) {
        MujocoLayout.Geoms at = model.mujoco().layout().model().geoms();
        int count = model.number(at.count());
        int[] types = model.ints(at.type(), count);
        double[] sizes = model.doubles(at.size(), 3 * count);
        MemorySegment positions = simulation.view(GEOM_POSITIONS, 3 * count);
        MemorySegment rotations = simulation.view(GEOM_ROTATIONS, 9 * count);
        List<Double> ends = new ArrayList<>();
        for (int g = 0; g < count; g++) {
            for (int side = -1; side <= 1 && types[g] == CAPSULE; side += 2) {
                for (int axis = 0; axis <= 2; axis += 2) {
                    double middle = positions.getAtIndex(JAVA_DOUBLE, 3L * g + axis);
                    double along = rotations.getAtIndex(JAVA_DOUBLE, 9L * g + 3L * axis + 2);
                    ends.add(middle + side * sizes[3 * g + 1] * along);
                }
            }
        }
        return ends;
    }

    @Test
    void whatHasAFloorIsFollowed() {
        try (Environment hopper = new Hopper();
                Environment poles = new InvertedDoublePendulum()) {
            assertThat(hopper.figure().orElseThrow().ground()).hasValue(0);
            assertThat(hopper.figure().orElseThrow().follow()).isZero();
            assertThat(hopper.figure().orElseThrow().seconds()).isCloseTo(0.008, offset(1e-12));
            assertThat(poles.figure().orElseThrow().ground()).isEmpty();
            assertThat(poles.figure().orElseThrow().follow()).isEqualTo(Figure.WORLD);
            assertThat(poles.figure().orElseThrow().capsules()).hasSize(4);
        }
    }
}
