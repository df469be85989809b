package dev.pgkq.app.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code pgkq reward}: commands about the source of rewards. */
@Command(
        name = "reward",
        description = "Tries out a source of rewards.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = RewardTryCommand.class)
public final class RewardCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Give a command: pgkq reward try \"exec:python3 my_score.py\" --env Hopper-v4");
    }
}
