package dev.pgkq.mujoco;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Handlers for errors and warnings of MuJoCo.
 *
 * <p>By default, MuJoCo writes {@code MUJOCO_LOG.TXT} into the current folder, and after an error it waits for Enter and ends
 * the process. An error must still end the process, because control must not return to MuJoCo, but with a helpful message and
 * without waiting. Warnings need no message: MuJoCo counts them in the simulation, which is checked after every step.
 */
final class MujocoHandlers {
    /** "Internal software error" of sysexits.h. */
    static final int EXIT_CODE = 70;

    private static final int MAX_MESSAGE = 4096;
    private static final AddressLayout TEXT =
            ValueLayout.ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(MAX_MESSAGE, ValueLayout.JAVA_BYTE));

    private MujocoHandlers() {}

    static void install(MujocoLibrary library) {
        install(library, "mju_user_error", "onError");
        install(library, "mju_user_warning", "onWarning");
    }

    private static void install(MujocoLibrary library, String variable, String method) {
        try {
            MethodHandle handler = MethodHandles.lookup()
                    .findStatic(MujocoHandlers.class, method, MethodType.methodType(void.class, MemorySegment.class));
            MemorySegment stub =
                    Linker.nativeLinker().upcallStub(handler, FunctionDescriptor.ofVoid(TEXT), Arena.global());
            library.symbols()
                    .findOrThrow(variable)
                    .reinterpret(ValueLayout.ADDRESS.byteSize())
                    .set(ValueLayout.ADDRESS, 0, stub);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no handler " + method, e);
        }
    }

    @SuppressWarnings("unused") // called by MuJoCo
    private static void onError(MemorySegment message) {
        try {
            System.err.println(
                    "pgkq: MuJoCo stopped the simulation: "
                            + message.getString(0)
                            + System.lineSeparator()
                            + "MuJoCo cannot continue after such an error. Usually it ran out of memory, or the model needs more"
                            + " than its limits allow. Checkpoints that were saved are intact; a run can be resumed from them.");
            System.err.flush();
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    @SuppressWarnings("unused") // called by MuJoCo
    private static void onWarning(MemorySegment message) {}
}
