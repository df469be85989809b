package dev.pgkq.mujoco;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Offsets in bytes of fields in MuJoCo's structs. They differ between versions, so there is one table per supported version;
 * to support another version, add its table to {@link #TABLES}.
 *
 * <p>The numbers come from the compiler, with the headers of the same version ({@code libmujoco-dev} on Debian): a C
 * program that prints {@code offsetof(mjModel, nq)}, {@code offsetof(mjModel, opt.timestep)}, {@code offsetof(mjData,
 * qpos)}, {@code sizeof(mjData)} and so on, built with {@code gcc -I…/include}. They hold on every 64-bit platform, because
 * the structs consist of 32-bit ints, doubles and pointers.
 */
record MujocoLayout(Model model, Data data) {

    /** Offsets in {@code mjModel}; {@code qpos0} and {@code actuatorControlRange} hold pointers to arrays. */
    record Model(
            long size,
            long positions,
            long velocities,
            long controls,
            long sites,
            long timestep,
            long qpos0,
            long actuatorControlRange,
            Bodies bodies,
            Joints joints,
            Geoms geoms) {}

    /** Offsets in {@code mjModel} of the number of bodies and of pointers to arrays with an entry for each. */
    record Bodies(long count, long parent, long position, long quaternion) {}

    /** Offsets for joints. */
    record Joints(long count, long type, long body, long qposAddress, long position, long axis) {}

    /** Offsets for geoms. */
    record Geoms(long count, long type, long body, long position, long quaternion, long size) {}

    /** Offsets in {@code mjData}; those from {@code qpos} on hold pointers to arrays. */
    record Data(
            long size,
            long warnings,
            int warningKinds,
            long time,
            long qpos,
            long qvel,
            long control,
            long sitePositions,
            long constraintForces) {}

    /** Size of {@code mjWarningStat}, which is two ints: {@code lastinfo} and {@code number}. */
    static final long WARNING_SIZE = 8;

    /** Offset of {@code number}, the count of warnings. */
    static final long WARNING_NUMBER = 4;

    private static final Map<String, MujocoLayout> TABLES = new TreeMap<>(Map.of(
            "2.2.2",
            new MujocoLayout(
                    new Model(
                            3280,
                            0,
                            4,
                            8,
                            28,
                            232,
                            1096,
                            2792,
                            new Bodies(16, 1112, 1208, 1216),
                            new Joints(20, 1280, 1304, 1288, 1344, 1352),
                            new Geoms(24, 1488, 1520, 1608, 1616, 1592)),
                    new Data(41176, 24, 8, 40336, 40376, 40384, 40408, 40552, 41136))));

    /** Returns the table of a version; empty if it is not supported. */
    static Optional<MujocoLayout> ofVersion(String version) {
        return Optional.ofNullable(TABLES.get(version));
    }

    /** Returns the supported versions. */
    static Collection<String> supportedVersions() {
        return TABLES.keySet();
    }
}
