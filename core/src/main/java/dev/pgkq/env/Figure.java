package dev.pgkq.env;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What a simulator looks like from the side: capsules on a tree of bodies, moved by joints in the x-z plane, x to the right
 * and z up. A joint's place is a number of the simulator's {@linkplain Environment#state state}.
 *
 * <p>A frame is a point p and an angle θ, and R(θ)(u, w) = (u cos θ + w sin θ, −u sin θ + w cos θ), the turn about the
 * y axis. A body's frame is its parent's, moved by R(θ)(x, z) and turned by its angle, and then moved by its joints one
 * after the other, with d = state − zero: a slide adds R(θ) axis d to p; a hinge turns by sign · d about the point (x, z) of
 * the body.
 *
 * @param bodies each after its parent
 * @param joints of all bodies, those of one body in their order
 * @param capsules what is seen
 * @param ground height of the floor, if there is one
 * @param follow the body that stays in the middle of the picture; {@link #WORLD} if the picture does not move
 * @param seconds simulated seconds of a step
 */
public record Figure(
        List<Body> bodies,
        List<Joint> joints,
        List<Capsule> capsules,
        OptionalDouble ground,
        int follow,
        double seconds) {
    /** The parent of what hangs on nothing, and the body of what never moves. */
    public static final int WORLD = -1;

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
            throw new IllegalArgumentException("a step takes more than " + seconds + " seconds");
        }
    }

    private static void requireBody(int body, int before) {
        if (body < WORLD || body >= before) {
            throw new IllegalArgumentException("there is no body " + body + " among the " + before + " before it");
        }
    }

    /** A body: where its frame is in its parent's, before its joints move it. */
    public record Body(int parent, double x, double z, double angle) {}

    /** Moves a body by a number of the state. */
    public sealed interface Joint {
        int body();

        /** Index into the state. */
        int state();

        /** The number of the state with which the body is not moved. */
        double zero();
    }

    /** Moves a body along an axis, which is given in its own frame. */
    public record Slide(int body, double axisX, double axisZ, int state, double zero) implements Joint {}

    /** Turns a body about a point of its frame: clockwise, from x to −z, where the sign is 1. */
    public record Hinge(int body, double sign, double x, double z, int state, double zero) implements Joint {}

    /** All points within a radius of a line, which is given in the frame of a body. */
    public record Capsule(int body, double fromX, double fromZ, double toX, double toZ, double radius) {}

    /** The same with one more capsule. */
    public Figure with(Capsule capsule) {
        List<Capsule> more = new ArrayList<>(capsules);
        more.add(capsule);
        return new Figure(bodies, joints, more, ground, follow, seconds);
    }

    /** Where the ends of each capsule's line are in a state: fromX, fromZ, toX, toZ, one capsule after the other. */
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

    /** p and θ of each body. */
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

    /** Writes where the point (x, z) of a body is in the world; may overwrite the body's own place. */
    private static void place(double[] frames, int body, double x, double z, double[] into, int at) {
        double angle = body == WORLD ? 0 : frames[3 * body + 2];
        double sine = Math.sin(angle);
        double cosine = Math.cos(angle);
        into[at] = (body == WORLD ? 0 : frames[3 * body]) + x * cosine + z * sine;
        into[at + 1] = (body == WORLD ? 0 : frames[3 * body + 1]) - x * sine + z * cosine;
    }
}
