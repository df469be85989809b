package dev.pgkq.mujoco;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The MuJoCo library of this process. It is found on first use and stays loaded until the process ends.
 *
 * <p>The method handles are constants that take the function's address as their first argument: the compiler turns constant
 * handles into plain calls, and addresses are known only once the library is found. No call is linked as critical, because a
 * step may take long and a critical call blocks the garbage collector.
 */
public final class Mujoco {
    private static final MethodHandle POINTER_TO_POINTER = handle(FunctionDescriptor.of(ADDRESS, ADDRESS));
    private static final MethodHandle POINTER_TO_VOID = handle(FunctionDescriptor.ofVoid(ADDRESS));
    private static final MethodHandle POINTERS_TO_VOID = handle(FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
    private static final MethodHandle LOAD_XML =
            handle(FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_INT));

    private final MujocoLibrary library;
    private final MemorySegment loadXml;
    private final MemorySegment makeData;
    private final MemorySegment deleteData;
    private final MemorySegment resetData;
    private final MemorySegment forward;
    private final MemorySegment step;
    private final Map<String, MujocoModel> models = new ConcurrentHashMap<>();

    private Mujoco(MujocoLibrary library) {
        this.library = library;
        SymbolLookup symbols = library.symbols();
        loadXml = symbols.findOrThrow("mj_loadXML");
        makeData = symbols.findOrThrow("mj_makeData");
        deleteData = symbols.findOrThrow("mj_deleteData");
        resetData = symbols.findOrThrow("mj_resetData");
        forward = symbols.findOrThrow("mj_forward");
        step = symbols.findOrThrow("mj_step");
        MujocoHandlers.install(library);
    }

    /**
     * Returns the library of this process and finds it on the first call. It is looked for in the path given by the system
     * property {@code pgkq.mujoco} or the environment variable {@code PGKQ_MUJOCO}, then among the libraries of the system,
     * then in the user's cache, then in Debian's packages.
     *
     * @throws MujocoException if there is no usable library; the message lists what was tried and how to install it
     */
    public static Mujoco get() {
        return switch (Holder.SEARCH) {
            case Search.Found found -> found.mujoco();
            case Search.Failed failed -> throw new MujocoException(failed.message(), failed.cause());
        };
    }

    /**
     * Returns the version and location, such as "MuJoCo 2.2.2, /path/libmujoco.so.2.2.2 (in the user's cache)".
     *
     * @throws MujocoException if there is no usable library
     */
    public static String describe() {
        Mujoco mujoco = get();
        return "MuJoCo " + mujoco.version() + ", " + mujoco.location().library() + " ("
                + mujoco.location().origin().words() + ")";
    }

    /** Returns the version of the library. */
    public String version() {
        return library.version();
    }

    /** Returns where the library was found. */
    public MujocoLocation location() {
        return library.location();
    }

    /**
     * Offsets in bytes of pointers in {@code mjData}, with which benchmarks in other languages step the same library.
     *
     * @param qpos offset of the pointer to qpos
     * @param qvel offset of the pointer to qvel
     * @param control offset of the pointer to ctrl
     */
    public record DataOffsets(long qpos, long qvel, long control) {}

    /** Returns the offsets of this version. */
    public DataOffsets dataOffsets() {
        MujocoLayout.Data at = layout().data();
        return new DataOffsets(at.qpos(), at.qvel(), at.control());
    }

    /** Returns the model of that name from this package's resources. It is loaded once, shared and only read. */
    MujocoModel model(String name) {
        return models.computeIfAbsent(name, key -> MujocoModel.ofResource(this, key));
    }

    MujocoLibrary library() {
        return library;
    }

    MujocoLayout layout() {
        return library.layout();
    }

    /** Loads a model. Returns NULL if the file is not valid; the error buffer then has the reason. */
    MemorySegment loadXml(MemorySegment fileName, MemorySegment error) {
        try {
            return (MemorySegment)
                    LOAD_XML.invokeExact(loadXml, fileName, MemorySegment.NULL, error, (int) error.byteSize());
        } catch (Throwable e) {
            throw failed("mj_loadXML", e);
        }
    }

    MemorySegment makeData(MemorySegment model) {
        try {
            return (MemorySegment) POINTER_TO_POINTER.invokeExact(makeData, model);
        } catch (Throwable e) {
            throw failed("mj_makeData", e);
        }
    }

    void deleteData(MemorySegment data) {
        try {
            POINTER_TO_VOID.invokeExact(deleteData, data);
        } catch (Throwable e) {
            throw failed("mj_deleteData", e);
        }
    }

    void resetData(MemorySegment model, MemorySegment data) {
        try {
            POINTERS_TO_VOID.invokeExact(resetData, model, data);
        } catch (Throwable e) {
            throw failed("mj_resetData", e);
        }
    }

    void forward(MemorySegment model, MemorySegment data) {
        try {
            POINTERS_TO_VOID.invokeExact(forward, model, data);
        } catch (Throwable e) {
            throw failed("mj_forward", e);
        }
    }

    void step(MemorySegment model, MemorySegment data) {
        try {
            POINTERS_TO_VOID.invokeExact(step, model, data);
        } catch (Throwable e) {
            throw failed("mj_step", e);
        }
    }

    private static MethodHandle handle(FunctionDescriptor function) {
        return Linker.nativeLinker().downcallHandle(function);
    }

    /** Runtime exceptions, such as those for a closed simulation, are passed on. */
    private static RuntimeException failed(String function, Throwable cause) {
        return cause instanceof RuntimeException known ? known : new IllegalStateException(function + " failed", cause);
    }

    /** The result of the search. A failure is kept as well, because another search would fail again. */
    private sealed interface Search {
        record Found(Mujoco mujoco) implements Search {}

        record Failed(String message, MujocoException cause) implements Search {}

        static Search run() {
            try {
                return new Found(new Mujoco(MujocoLocator.ofProcess().locate()));
            } catch (MujocoException e) {
                return new Failed(String.valueOf(e.getMessage()), e);
            }
        }
    }

    private static final class Holder {
        static final Search SEARCH = Search.run();
    }
}
