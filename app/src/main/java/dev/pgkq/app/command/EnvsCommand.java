package dev.pgkq.app.command;

import dev.pgkq.app.config.UserClasses;
import dev.pgkq.env.EnvironmentChecker;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pgkq envs}: lists the tasks, or checks the implementation of one. */
@Command(
        name = "envs",
        description = "Lists the tasks, or checks one of them.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Environments in Python: gym:ID for those of Gymnasium, python:MODULE:CLASS for your own.",
            "To add tasks in Java, name a jar with a TaskProvider by --classpath or PGKQ_CLASSPATH; see docs/environments.md."
        })
public final class EnvsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--check", paramLabel = "ID", description = "play some episodes of this task and report errors")
    private String check = "";

    @Option(names = "--classpath", paramLabel = "PATHS", description = "jars and folders with your own tasks")
    private String classPath = "";

    @Mixin
    private PythonOptions python = new PythonOptions();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        UserClasses.use(classPath);
        return check.isEmpty() ? list(out) : check(out, python.task(check));
    }

    private static int list(PrintWriter out) {
        for (Task task : Tasks.all()) {
            out.printf(Locale.ROOT, "%-27s %s%n", task.id(), task.summary());
        }
        return ExitCode.DONE.code();
    }

    private static int check(PrintWriter out, Task task) {
        List<String> findings = EnvironmentChecker.check(task);
        if (findings.isEmpty()) {
            EnvironmentSpec spec = task.spec();
            out.printf(
                    Locale.ROOT,
                    "%s: no error found (%d observations, %s, %d state values, at most %,d steps)%n",
                    task.id(),
                    spec.observationSize(),
                    spec.actions().description(),
                    spec.stateSize() - spec.hiddenStates(),
                    spec.maxSteps());
            return CommandLine.ExitCode.OK;
        }
        out.println(task.id() + ":");
        findings.forEach(finding -> out.println("  error: " + finding));
        return CommandLine.ExitCode.SOFTWARE;
    }
}
