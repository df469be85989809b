package dev.pgkq.app.command;

import dev.pgkq.app.training.TrainedRun;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which policy a command uses, and what its task needs. */
final class PolicyOptions {
    @Parameters(paramLabel = "RUN", description = "run directory")
    private Path run = Path.of("");

    @Option(
            names = "--best",
            description = "use the best policy that 'pgkq train --evaluate-every' kept, not the newest one")
    private boolean best;

    @Option(names = "--mujoco", paramLabel = "PATH", description = "MuJoCo library to use (default: search for it)")
    private String mujoco = "";

    /** Opens the run; warnings go to {@code err}. */
    TrainedRun open(PrintWriter err) {
        if (!mujoco.isEmpty()) {
            System.setProperty("pgkq.mujoco", mujoco);
        }
        return best ? TrainedRun.openBest(run) : TrainedRun.open(run, warning -> err.println("pgkq: " + warning));
    }
}
