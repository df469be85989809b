package dev.pgkq.app.command;

import dev.pgkq.app.export.ExportedPolicy;
import dev.pgkq.app.training.TrainedRun;
import dev.pgkq.text.UserException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pgkq export RUN}: writes the policy of a run for use elsewhere. It changes nothing in the run. */
@Command(
        name = "export",
        description = "Writes the newest or best policy of a run to a file for use elsewhere.",
        mixinStandardHelpOptions = true,
        footer = {"", "docs/export.md describes the files; examples/python/play.py plays an ONNX model in Gymnasium."})
public final class ExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--onnx", paramLabel = "FILE", description = "write an ONNX model, which needs no code of pgkq")
    private Optional<Path> onnx = Optional.empty();

    @Option(
            names = "--safetensors",
            paramLabel = "FILE",
            description = "write the parameters, named as in a checkpoint, without the state of training")
    private Optional<Path> safetensors = Optional.empty();

    @Override
    public Integer call() {
        if (onnx.isEmpty() && safetensors.isEmpty()) {
            throw new UserException("nothing to write: give --onnx FILE, --safetensors FILE or both");
        }
        PrintWriter out = spec.commandLine().getOut();
        TrainedRun saved = policy.open(spec.commandLine().getErr());
        ExportedPolicy exported = ExportedPolicy.of(saved, version());
        onnx.ifPresent(exported::writeOnnx);
        safetensors.ifPresent(exported::writeSafetensors);
        String what = saved.config().algorithm().id() + " on " + saved.task().id() + " after iteration "
                + saved.snapshot().iteration();
        onnx.ifPresent(file -> out.println(what + ": " + file));
        safetensors.ifPresent(file -> out.println(what + ": " + file));
        out.flush();
        return ExitCode.DONE.code();
    }

    /** The number of the version, without the name of the program. */
    private String version() {
        String text = String.join(" ", spec.version());
        return text.substring(text.lastIndexOf(' ') + 1);
    }
}
