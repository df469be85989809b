package dev.pgkq.app.command;

import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Elementwise;
import dev.pgkq.linalg.Simd;
import dev.pgkq.mujoco.Mujoco;
import dev.pgkq.platform.OwnFile;
import dev.pgkq.platform.Platform;
import dev.pgkq.platform.UserCache;
import dev.pgkq.text.UserException;
import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pgkq doctor}: checks this machine. */
@Command(
        name = "doctor",
        description = "Checks what pgkq needs on this machine and says how to fix what is missing.",
        mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
    private static final long LEAST_HEAP = 512L << 20;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--mujoco", paramLabel = "PATH", description = "MuJoCo library (default: search for it)")
    private String mujoco = "";

    private int problems;

    @Override
    public Integer call() {
        if (!mujoco.isEmpty()) {
            System.setProperty("pgkq.mujoco", mujoco);
        }
        PrintWriter out = spec.commandLine().getOut();
        fine(
                out,
                "Java",
                System.getProperty("java.vm.name") + " " + Runtime.version() + " (" + System.getProperty("java.home")
                        + ")");
        fine(out, "platform", Platform.name() + ", " + cores());
        memory(out);
        simd(out);
        blas(out);
        mujoco(out);
        fonts(out);
        cache(out);
        out.println(problems == 0 ? "no problems" : problems + (problems == 1 ? " problem" : " problems") + " to fix");
        return (problems == 0 ? ExitCode.DONE : ExitCode.INCOMPLETE).code();
    }

    private static String cores() {
        int cores = Runtime.getRuntime().availableProcessors();
        return cores + (cores == 1 ? " core" : " cores");
    }

    private void memory(PrintWriter out) {
        long heap = Runtime.getRuntime().maxMemory();
        String text = String.format(Locale.ROOT, "up to %.1f GB for Java", heap / 1e9);
        if (heap < LEAST_HEAP) {
            wrong(out, "memory", text, "set PGKQ_JAVA_OPTS=-Xmx2g");
        } else {
            fine(out, "memory", text);
        }
    }

    private void simd(PrintWriter out) {
        String description = Elementwise.best().description();
        if (Simd.isOn()) {
            fine(out, "SIMD", description);
        } else {
            wrong(out, "SIMD", "off, " + description, Simd.whyNot());
        }
    }

    private void blas(PrintWriter out) {
        if (Blas.whyNotNative().isEmpty()) {
            fine(out, "BLAS", Blas.best().description());
        } else {
            wrong(out, "BLAS", Blas.best().description() + ": training works, but slowly", Blas.whyNotNative());
        }
    }

    private void mujoco(PrintWriter out) {
        try {
            fine(out, "MuJoCo", Mujoco.describe());
        } catch (UserException e) {
            wrong(out, "MuJoCo", "not found: of the tasks only Pendulum-v1 works", String.valueOf(e.getMessage()));
        }
    }

    private void fonts(PrintWriter out) {
        try {
            int families = GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames().length;
            if (families > 0) {
                fine(out, "fonts", families + " font families");
                return;
            }
        } catch (RuntimeException | Error e) {
            // without any font Java fails in several ways; reported below
        }
        wrong(
                out,
                "fonts",
                "none: training works, but without curve.png",
                "install fontconfig and a font (Debian: fonts-dejavu-core)");
    }

    private void cache(PrintWriter out) {
        try {
            if (Files.isWritable(UserCache.folder("."))) {
                OwnFile.require(UserCache.root());
                fine(out, "cache", UserCache.root().toString());
                return;
            }
        } catch (UserException e) {
            // reported below
        } catch (IOException e) {
            wrong(out, "cache", "refused: " + e.getMessage(), "see above");
            return;
        }
        wrong(out, "cache", UserCache.root() + " is not writable", "set PGKQ_CACHE to a folder that is");
    }

    private static void fine(PrintWriter out, String what, String text) {
        out.printf(Locale.ROOT, "  ok       %-9s %s%n", what, text);
        out.flush();
    }

    private void wrong(PrintWriter out, String what, String text, String remedy) {
        problems++;
        out.printf(
                Locale.ROOT,
                "  MISSING  %-9s %s%n           %-9s → %s%n",
                what,
                text,
                "",
                remedy.replace("\n", "\n                       "));
        out.flush();
    }
}
