package dev.pgkq.app.report;

import dev.pgkq.app.config.Setting;
import dev.pgkq.app.grid.Grid;
import dev.pgkq.app.study.GridFile;
import dev.pgkq.app.study.Group;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.StudyRun;
import dev.pgkq.app.terminal.Shell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The commands that repeat a study. */
final class RepeatCommands {
    private RepeatCommands() {}

    /** All commands of every grid that contains a run, and one command per group for runs outside any grid. */
    static List<String> commands(Study study) {
        Set<String> grids = new LinkedHashSet<>();
        List<String> others = new ArrayList<>();
        for (Group group : study.groups()) {
            List<StudyRun> outside = new ArrayList<>();
            for (StudyRun run : group.runs()) {
                List<String> commands = gridCommands(run);
                grids.addAll(commands);
                if (commands.isEmpty()) {
                    outside.add(run);
                }
            }
            if (!outside.isEmpty()) {
                others.add(trainCommand(outside));
            }
        }
        List<String> all = new ArrayList<>(grids);
        all.addAll(others);
        return all;
    }

    /** The commands of the grid that contains a run; none if the run is not at its place in a grid. */
    private static List<String> gridCommands(StudyRun run) {
        Path file = run.metrics().file();
        Path root = file.resolveSibling("../../..").normalize();
        boolean inPlace = Grid.directory(root, run.config().text(Setting.ENV), run.algorithm(), run.seed())
                .metrics()
                .equals(file);
        return inPlace ? new GridFile(root).commands() : List.of();
    }

    /** {@code pgkq train} with all settings that are not at their defaults, for every seed. */
    private static String trainCommand(List<StudyRun> runs) {
        StudyRun run = runs.getFirst();
        List<String> arguments = new ArrayList<>(List.of(
                "./pgkq",
                "train",
                "--env",
                run.config().text(Setting.ENV),
                "--algo",
                run.algorithm().id(),
                "--iterations",
                Long.toString(run.planned())));
        run.config().choices().forEach((key, value) -> arguments.addAll(List.of("--" + key, value)));
        run.config().limits().forEach((key, value) -> arguments.addAll(List.of("--" + key, value)));
        String command = Shell.command(arguments) + " --seed ";
        if (runs.size() == 1) {
            return command + run.seed();
        }
        String seeds = runs.stream().map(one -> Long.toString(one.seed())).collect(Collectors.joining(" "));
        return "for seed in " + seeds + "; do " + command + "$seed; done";
    }
}
