package dev.pgkq.mujoco;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An {@code mjData}: one running simulation of a model, used by one thread at a time.
 *
 * <p>Its arrays never move, so their views are created once. All views live in one arena: after {@link #close}, every use
 * throws an exception instead of crashing, and closing during a step is refused.
 */
final class Simulation implements AutoCloseable {
    private final Mujoco mujoco;
    private final MemorySegment model;
    private final MujocoLayout.Data at;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment data;
    private final MemorySegment qpos;
    private final MemorySegment qvel;
    private final MemorySegment control;
    private final MemorySegment sitePositions;
    private final MemorySegment constraintForces;
    private final int positions;
    private final int velocities;
    private final int controls;

    Simulation(MujocoModel model) {
        mujoco = model.mujoco();
        this.model = model.pointer();
        at = mujoco.layout().data();
        positions = model.positions();
        velocities = model.velocities();
        controls = model.controls();
        data = mujoco.makeData(this.model).reinterpret(at.size(), arena, mujoco::deleteData);
        qpos = view(at.qpos(), positions);
        qvel = view(at.qvel(), velocities);
        control = view(at.control(), controls);
        sitePositions = view(at.sitePositions(), 3 * model.sites());
        constraintForces = view(at.constraintForces(), velocities);
    }

    /** Returns the array of doubles to which the struct has a pointer at the offset. */
    MemorySegment view(long offset, int doubles) {
        return data.get(ADDRESS, offset).reinterpret(doubles * JAVA_DOUBLE.byteSize(), arena, null);
    }

    /** Starts from this state: clears warnings, forces and the clock, and computes derived quantities. */
    void start(double[] positionValues, double[] velocityValues) {
        mujoco.resetData(model, data);
        MemorySegment.copy(positionValues, 0, qpos, JAVA_DOUBLE, 0, positions);
        MemorySegment.copy(velocityValues, 0, qvel, JAVA_DOUBLE, 0, velocities);
        mujoco.forward(model, data);
    }

    /** Sets the controls for the next steps. */
    void control(double[] values) {
        MemorySegment.copy(values, 0, control, JAVA_DOUBLE, 0, controls);
    }

    /**
     * Advances by a number of time steps.
     *
     * @return whether all steps were valid. When numbers become invalid, MuJoCo silently resets to the reference pose; only a
     *     counted warning and a clock that goes back reveal it.
     */
    boolean advance(int steps) {
        double before = data.get(JAVA_DOUBLE, at.time());
        for (int i = 0; i < steps; i++) {
            mujoco.step(model, data);
        }
        return data.get(JAVA_DOUBLE, at.time()) > before && !warned();
    }

    private boolean warned() {
        for (int kind = 0; kind < at.warningKinds(); kind++) {
            long number = at.warnings() + kind * MujocoLayout.WARNING_SIZE + MujocoLayout.WARNING_NUMBER;
            if (data.get(JAVA_INT, number) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Writes qpos, then qvel. */
    void read(double[] into) {
        MemorySegment.copy(qpos, JAVA_DOUBLE, 0, into, 0, positions);
        MemorySegment.copy(qvel, JAVA_DOUBLE, 0, into, positions, velocities);
    }

    /** Returns a world coordinate of a site after the last step; the axes are x, y, z. */
    double sitePosition(int site, int axis) {
        return sitePositions.getAtIndex(JAVA_DOUBLE, 3L * site + axis);
    }

    /** Returns the force of limits and contacts along a degree of freedom in the last step. */
    double constraintForce(int index) {
        return constraintForces.getAtIndex(JAVA_DOUBLE, index);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
