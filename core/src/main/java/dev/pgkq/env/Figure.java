package dev.pgkq.env;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A drawing of a simulator from the side: capsules on a tree of bodies, which joints move in the x-z plane, with x to the
 * right and z up. The position of a joint is an entry of the simulator's {@linkplain Environment#state state}.
 *
 * <p>A frame is a point p and an angle θ. R(θ)(u, w) = (u cos θ + w sin θ, −u sin θ + w cos θ) is the rotation about the
 * y axis. The frame of a body is its parent's, shifted by R(θ)(x, z) and rotated by the body's angle, and then moved by its
 * joints in order, with d = state − zero: a slide adds R(θ) axis d to p; a hinge rotates by sign · d about the point (x, z)
 * of the body.
 *
 * @param bodies the bodies, each after its parent
 * @param joints the joints of all bodies; those of one body in the order of their application
 * @param capsules the visible shapes
 * @param ground height of the floor, if there is one
 * @param follow the body in the center of the picture; {@link #WORLD} if the picture does not move
 * @param seconds simulated seconds of one step
 */
public record Figure(
        List<Body> bodies,
        List<Joint> joints,
        List<Capsule> capsules,
        OptionalDouble ground,
        int follow,
        double seconds) {
    /** The parent of bodies without a parent, and the body of shapes that never move. */
    public static final int WORLD = -1;

    /**
     * Checks the references between the parts and copies the lists.
     *
     * @throws IllegalArgumentException if a body comes before its parent, if a part refers to a body that does not exist,
     *     if a joint moves the world, or if {@code seconds} is not positive
     */
    public Figure {
        bodies = List.copyOf(bodies);
        joints = List.copyOf(joints);
        capsules = List.copyOf(capsules);
        for (int i = 0; i < bodies.size(); i++) {
            requireBody(bodies.get(i).parent, i);
        }
        for (Joint joint : joints) {
            requireBody(joint.body(), bodies.size());
            if (joint.body() == WORLD) {
                throw new IllegalArgumentException("a joint moves a body, not the world");
            }
        }
        for (Capsule capsule : capsules) {
            requireBody(capsule.body, bodies.size());
        }
        requireBody(follow, bodies.size());
        if (!(seconds > 0)) {
            throw new IllegalArgumentException("seconds of a step must be positive, got " + seconds);
        }
    }

    private static void requireBody(int body, int before) {
        if (body < WORLD || body >= before) {
            throw new IllegalArgumentException("there is no body " + body + " among the " + before + " before it");
        }
    }

    /**
     * A body.
     *
     * @param parent index of the parent body, or {@link #WORLD}
     * @param x position in the parent's frame, before the joints move it
     * @param z height in the parent's frame
     * @param angle rotation relative to the parent, in radians
     */
    public record Body(int parent, double x, double z, double angle) {}

    /** A joint: moves a body by an entry of the state. */
    public sealed interface Joint {
        /** {@return the index of the body that the joint moves} */
        int body();

        /** {@return the index of the joint's position in the state} */
        int state();

        /** {@return the value of the state at which the body is not moved} */
        double zero();
    }

    /**
     * Moves a body along an axis.
     *
     * @param body index of the body
     * @param axisX x of the axis in the body's frame
     * @param axisZ z of the axis in the body's frame
     * @param state index into the state
     * @param zero value of the state at which the body is not moved
     */
    public record Slide(int body, double axisX, double axisZ, int state, double zero) implements Joint {}

    /**
     * Rotates a body about a point.
     *
     * @param body index of the body
     * @param sign 1 for clockwise, from x to −z; −1 for the opposite
     * @param x x of the point in the body's frame
     * @param z z of the point in the body's frame
     * @param state index into the state
     * @param zero value of the state at which the body is not rotated
     */
    public record Hinge(int body, double sign, double x, double z, int state, double zero) implements Joint {}

    /**
     * All points within a radius of a line segment.
     *
     * @param body index of the body, or {@link #WORLD}
     * @param fromX x of the first end in the body's frame
     * @param fromZ z of the first end
     * @param toX x of the second end
     * @param toZ z of the second end
     * @param radius distance from the segment
     */
    public record Capsule(int body, double fromX, double fromZ, double toX, double toZ, double radius) {}

    /**
     * {@return this figure with one more capsule}
     *
     * @param capsule drawn after the others
     * @throws IllegalArgumentException if the capsule refers to a body that does not exist
     */
    public Figure with(Capsule capsule) {
        List<Capsule> more = new ArrayList<>(capsules);
        more.add(capsule);
        return new Figure(bodies, joints, more, ground, follow, seconds);
    }

    /**
     * {@return the ends of each capsule's segment in a state: fromX, fromZ, toX, toZ, capsule by capsule}
     *
     * @param state a state of the simulator, angles in radians, as {@link Environment#state} writes it
     */
    public double[] ends(double[] state) {
        double[] frames = frames(state);
        double[] ends = new double[4 * capsules.size()];
        for (int i = 0; i < capsules.size(); i++) {
            Capsule capsule = capsules.get(i);
            place(frames, capsule.body, capsule.fromX, capsule.fromZ, ends, 4 * i);
            place(frames, capsule.body, capsule.toX, capsule.toZ, ends, 4 * i + 2);
        }
        return ends;
    }

    /** Returns p and θ of each body. */
    private double[] frames(double[] state) {
        double[] frames = new double[3 * bodies.size()];
        for (int b = 0; b < bodies.size(); b++) {
            Body body = bodies.get(b);
            place(frames, body.parent, body.x, body.z, frames, 3 * b);
            frames[3 * b + 2] = (body.parent == WORLD ? 0 : frames[3 * body.parent + 2]) + body.angle;
            for (Joint joint : joints) {
                if (joint.body() == b) {
                    move(frames, joint, state[joint.state()] - joint.zero());
                }
            }
        }
        return frames;
    }

    private static void move(double[] frames, Joint joint, double by) {
        int at = 3 * joint.body();
        switch (joint) {
            case Slide slide -> place(frames, slide.body, slide.axisX * by, slide.axisZ * by, frames, at);
            case Hinge hinge -> {
                place(frames, hinge.body, hinge.x, hinge.z, frames, at);
                frames[at + 2] += hinge.sign * by;
                place(frames, hinge.body, -hinge.x, -hinge.z, frames, at);
            }
        }
    }

    /** Writes the world position of the point (x, z) of a body; may overwrite the body's own position. */
    private static void place(double[] frames, int body, double x, double z, double[] into, int at) {
        double angle = body == WORLD ? 0 : frames[3 * body + 2];
        double sine = Math.sin(angle);
        double cosine = Math.cos(angle);
        into[at] = (body == WORLD ? 0 : frames[3 * body]) + x * cosine + z * sine;
        into[at + 1] = (body == WORLD ? 0 : frames[3 * body + 1]) - x * sine + z * cosine;
    }
}
