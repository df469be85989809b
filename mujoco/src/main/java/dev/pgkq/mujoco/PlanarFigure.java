package dev.pgkq.mujoco;

import dev.pgkq.env.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Draws a model as seen along the y axis. All its joints slide within the x-z plane or rotate about the y axis, and qpos is
 * the first part of the state.
 */
final class PlanarFigure {
    private static final int SLIDE = 2;
    private static final int HINGE = 3;
    private static final int PLANE = 0;
    private static final int CAPSULE = 3;

    private PlanarFigure() {}

    /** Returns the figure. MuJoCo's body 0 is the world, so its body b + 1 is body b of the figure. */
    static Figure of(MujocoModel model, double seconds) {
        MujocoLayout.Model at = model.mujoco().layout().model();
        OptionalDouble ground = ground(model, at.geoms());
        return new Figure(
                bodies(model, at.bodies()),
                joints(model, at.joints()),
                capsules(model, at.geoms()),
                ground,
                ground.isPresent() ? 0 : Figure.WORLD,
                seconds);
    }

    private static List<Figure.Body> bodies(MujocoModel model, MujocoLayout.Bodies at) {
        int count = model.number(at.count());
        int[] parents = model.ints(at.parent(), count);
        double[] positions = model.doubles(at.position(), 3 * count);
        double[] quaternions = model.doubles(at.quaternion(), 4 * count);
        List<Figure.Body> bodies = new ArrayList<>();
        for (int b = 1; b < count; b++) {
            bodies.add(
                    new Figure.Body(parents[b] - 1, positions[3 * b], positions[3 * b + 2], angle(quaternions, 4 * b)));
        }
        return bodies;
    }

    private static List<Figure.Joint> joints(MujocoModel model, MujocoLayout.Joints at) {
        int count = model.number(at.count());
        int[] types = model.ints(at.type(), count);
        int[] bodies = model.ints(at.body(), count);
        int[] addresses = model.ints(at.qposAddress(), count);
        double[] positions = model.doubles(at.position(), 3 * count);
        double[] axes = model.doubles(at.axis(), 3 * count);
        double[] zeros = model.referencePositions();
        List<Figure.Joint> joints = new ArrayList<>();
        for (int j = 0; j < count; j++) {
            double zero = zeros[addresses[j]];
            joints.add(
                    switch (types[j]) {
                        case SLIDE -> new Figure.Slide(bodies[j] - 1, axes[3 * j], axes[3 * j + 2], addresses[j], zero);
                        case HINGE ->
                            new Figure.Hinge(
                                    bodies[j] - 1,
                                    axes[3 * j + 1],
                                    positions[3 * j],
                                    positions[3 * j + 2],
                                    addresses[j],
                                    zero);
                        default -> throw new IllegalArgumentException("joint " + j + " does not move in a plane");
                    });
        }
        return joints;
    }

    /** Returns the capsules. Each lies along the z axis of its geom, the third column of the rotation matrix. */
    private static List<Figure.Capsule> capsules(MujocoModel model, MujocoLayout.Geoms at) {
        int count = model.number(at.count());
        int[] types = model.ints(at.type(), count);
        int[] bodies = model.ints(at.body(), count);
        double[] positions = model.doubles(at.position(), 3 * count);
        double[] quaternions = model.doubles(at.quaternion(), 4 * count);
        double[] sizes = model.doubles(at.size(), 3 * count);
        List<Figure.Capsule> capsules = new ArrayList<>();
        for (int g = 0; g < count; g++) {
            if (types[g] == CAPSULE) {
                double qw = quaternions[4 * g];
                double qx = quaternions[4 * g + 1];
                double qy = quaternions[4 * g + 2];
                double qz = quaternions[4 * g + 3];
                double x = positions[3 * g];
                double z = positions[3 * g + 2];
                double half = sizes[3 * g + 1];
                double alongX = half * 2 * (qx * qz + qw * qy);
                double alongZ = half * (1 - 2 * (qx * qx + qy * qy));
                capsules.add(new Figure.Capsule(
                        bodies[g] - 1, x - alongX, z - alongZ, x + alongX, z + alongZ, sizes[3 * g]));
            }
        }
        return capsules;
    }

    private static OptionalDouble ground(MujocoModel model, MujocoLayout.Geoms at) {
        int count = model.number(at.count());
        int[] types = model.ints(at.type(), count);
        double[] positions = model.doubles(at.position(), 3 * count);
        for (int g = 0; g < count; g++) {
            if (types[g] == PLANE) {
                return OptionalDouble.of(positions[3 * g + 2]);
            }
        }
        return OptionalDouble.empty();
    }

    /** Returns θ of the rotation (cos θ/2, 0, sin θ/2, 0) about the y axis. */
    private static double angle(double[] quaternions, int at) {
        return 2 * Math.atan2(quaternions[at + 2], quaternions[at]);
    }
}
