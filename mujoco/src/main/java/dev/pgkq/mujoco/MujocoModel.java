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
 * An {@code mjModel}: bodies, joints and motors, shared by all simulators of a task. It is never written after loading
 * and lives as long as the process; a process uses a handful of them.
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

    /** Loads {@code NAME.xml} from this package's resources. */
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

    /** MuJoCo reads files, so the text becomes one for a moment. Its parser keeps global state: one load at a time. */
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

    /** Entries of qpos. */
    int positions() {
        return positions;
    }

    /** Entries of qvel. */
    int velocities() {
        return velocities;
    }

    int controls() {
        return controls;
    }

    int sites() {
        return sites;
    }

    /** Seconds of one {@code mj_step}. */
    double timestep() {
        return timestep;
    }

    /** The pose the model file describes. */
    double[] referencePositions() {
        return doubles(mujoco.layout().model().qpos0(), positions);
    }

    /** Low and high of each motor, one after the other. */
    double[] controlRanges() {
        return doubles(mujoco.layout().model().actuatorControlRange(), 2 * controls);
    }

    /** The number at an offset of the struct. */
    int number(long offset) {
        return pointer.get(JAVA_INT, offset);
    }

    /** The first so many entries of the array of ints that the struct points to. */
    int[] ints(long offset, int count) {
        return pointer.get(ADDRESS, offset)
                .reinterpret(count * JAVA_INT.byteSize())
                .toArray(JAVA_INT);
    }

    /** The first so many entries of the array of doubles that the struct points to. */
    double[] doubles(long offset, int count) {
        return pointer.get(ADDRESS, offset)
                .reinterpret(count * JAVA_DOUBLE.byteSize())
                .toArray(JAVA_DOUBLE);
    }
}
