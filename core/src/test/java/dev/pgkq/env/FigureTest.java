package dev.pgkq.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.env.Figure.Body;
import dev.pgkq.env.Figure.Capsule;
import dev.pgkq.env.Figure.Hinge;
import dev.pgkq.env.Figure.Slide;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FigureTest {
    /** An arm of two rods on a cart: at quarter turns everything is at whole numbers. */
    @Test
    void jointsMoveWhatHangsOnThem() {
        Figure arm = new Figure(
                List.of(new Body(Figure.WORLD, 0, 1, 0), new Body(0, 0, 2, 0), new Body(1, 0, 3, Math.PI / 2)),
                List.of(new Slide(0, 1, 0, 0, 10), new Hinge(1, 1, 0, 0, 1, 0), new Hinge(2, -1, 0, 1, 2, Math.PI)),
                List.of(
                        new Capsule(0, 0, 0, 0, 2, 0.1),
                        new Capsule(1, 0, 0, 0, 3, 0.1),
                        new Capsule(2, 0, 1, 0, 5, 0.1)),
                OptionalDouble.of(0),
                0,
                0.01);
        // as drawn: up 2, up 3; the last is turned by its angle, from up to the right
        assertThat(arm.ends(new double[] {10, 0, Math.PI}))
                .containsExactly(new double[] {0, 1, 0, 3, 0, 3, 0, 6, 1, 6, 5, 6}, offset(1e-12));
        // the cart goes 4 to the right, the first rod falls to the right and the last hangs down from it
        assertThat(arm.ends(new double[] {14, Math.PI / 2, Math.PI}))
                .containsExactly(new double[] {4, 1, 4, 3, 4, 3, 7, 3, 7, 2, 7, -2}, offset(1e-12));
        // the last turns back by a quarter about the end of its own line
        assertThat(arm.ends(new double[] {10, 0, 1.5 * Math.PI}))
                .containsExactly(new double[] {0, 1, 0, 3, 0, 3, 0, 6, 1, 6, 1, 10}, offset(1e-12));
    }

    @Test
    void aPendulumStandsUprightAtZeroAndFallsAgainstTheClock() {
        try (Environment pendulum = new Pendulum()) {
            Figure figure = pendulum.figure().orElseThrow();
            assertThat(figure.ends(new double[] {0, 0})).startsWith(0, 0, 0, 1);
            assertThat(figure.ends(new double[] {Math.PI / 2, 0})[2]).isCloseTo(-1, offset(1e-12));
        }
    }

    @Test
    void whatHangsOnNothingIsRefused() {
        assertThatThrownBy(() -> new Figure(
                        List.of(new Body(0, 0, 0, 0)), List.of(), List.of(), OptionalDouble.empty(), Figure.WORLD, 1))
                .hasMessageContaining("no body 0");
    }
}
