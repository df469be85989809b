package dev.pgkq.mujoco;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An {@code mjModel}: bodies, joints and motors, shared by all simulators of a task. It is never modified after loading and
 * lives as long as the process, which uses a handful of them.
 */
final class MujocoModel {
    private static final int ERROR_BYTES = 1024;

    private final Mujoco mujoco;
    private final MemorySegment pointer;
    private final int positions;
    private final int velocities;
    private final int controls;
    private final int sites;
    private final double timestep;

    private MujocoModel(Mujoco mujoco, MemorySegment address) {
        MujocoLayout.Model at = mujoco.layout().model();
        this.mujoco = mujoco;
        pointer = address.reinterpret(at.size());
        positions = pointer.get(JAVA_INT, at.positions());
        velocities = pointer.get(JAVA_INT, at.velocities());
        controls = pointer.get(JAVA_INT, at.controls());
        sites = pointer.get(JAVA_INT, at.sites());
        timestep = pointer.get(JAVA_DOUBLE, at.timestep());
    }

    /**
     * Loads {@code NAME.xml} from this package's resources.
     *
     * @throws MujocoException if no temporary file can be written
     */
    static MujocoModel ofResource(Mujoco mujoco, String name) {
        try (InputStream xml = MujocoModel.class.getResourceAsStream(name + ".xml")) {
            if (xml == null) {
                throw new IllegalArgumentException("no model file " + name + ".xml");
            }
            byte[] text = xml.readAllBytes();
            return inTemporaryFile(mujoco, name, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the model file " + name + ".xml", e);
        }
    }

    private static MujocoModel inTemporaryFile(Mujoco mujoco, String name, byte[] xml) {
        try {
            return ofXml(mujoco, name, xml);
        } catch (IOException e) {
            throw new MujocoException(
                    "cannot write a temporary file in " + System.getProperty("java.io.tmpdir")
                            + ", from which MuJoCo reads its model (" + e
                            + "); free some space there, or set the system property java.io.tmpdir to another folder",
                    e);
        }
    }

    /** MuJoCo reads files, so the text is written to a temporary one. Its parser has global state: one load at a time. */
    static MujocoModel ofXml(Mujoco mujoco, String name, byte[] xml) throws IOException {
        Path file = Files.createTempFile("pgkq-" + name + "-", ".xml");
        try (Arena arena = Arena.ofConfined()) {
            Files.write(file, xml);
            MemorySegment error = arena.allocate(ERROR_BYTES);
            MemorySegment model;
            synchronized (mujoco) {
                model = mujoco.loadXml(arena.allocateFrom(file.toString()), error);
            }
            if (model.equals(MemorySegment.NULL)) {
                throw new IllegalArgumentException("MuJoCo rejects the model " + name + ": " + error.getString(0));
            }
            return new MujocoModel(mujoco, model);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    Mujoco mujoco() {
        return mujoco;
    }

    MemorySegment pointer() {
        return pointer;
    }

    /** Returns the number of entries of qpos. */
    int positions() {
        return positions;
    }

    /** Returns the number of entries of qvel. */
    int velocities() {
        return velocities;
    }

    int controls() {
        return controls;
    }

    int sites() {
        return sites;
    }

    /** Returns the seconds of one {@code mj_step}. */
    double timestep() {
        return timestep;
    }

    /** Returns the pose in the model file. */
    double[] referencePositions() {
        return doubles(mujoco.layout().model().qpos0(), positions);
    }

    /** Returns the lower and upper bound of each motor. */
    double[] controlRanges() {
        return doubles(mujoco.layout().model().actuatorControlRange(), 2 * controls);
    }

    /** Returns the int at an offset of the struct. */
    int number(long offset) {
        return pointer.get(JAVA_INT, offset);
    }

    /** Returns the first entries of an array of ints to which the struct has a pointer at the offset. */
    int[] ints(long offset, int count) {
        return pointer.get(ADDRESS, offset)
                .reinterpret(count * JAVA_INT.byteSize())
                .toArray(JAVA_INT);
    }

    /** Returns the first entries of an array of doubles to which the struct has a pointer at the offset. */
    double[] doubles(long offset, int count) {
        return pointer.get(ADDRESS, offset)
                .reinterpret(count * JAVA_DOUBLE.byteSize())
                .toArray(JAVA_DOUBLE);
    }
}
