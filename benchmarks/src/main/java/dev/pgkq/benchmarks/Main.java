package dev.pgkq.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pgkq bench}: measures against peers and prints one table. */
@Command(
        name = "pgkq bench",
        description =
                "Measures speed and memory against peers and targets. Everything takes about a quarter of an hour.",
        subcommands = {Gradients.class, Coverage.class, RewardUnits.class},
        mixinStandardHelpOptions = true)
public final class Main implements Callable<Integer> {
    private static final List<Benchmark> ALL = List.of(
            new Stepping(),
            new Threads(),
            new Bridge(),
            new PolicyUpdate(),
            new Memory(),
            new Kernels(),
            new Gram(),
            new FeatureChoice(),
            new CentredChoice(),
            new Overhead(),
            new QuadratureRules(),
            new SobolevExperiments(),
            new DashboardLoad(),
            new Advise(),
            new ClusterScale());

    @Option(names = "--quick", description = "Runs a fifth of the rounds, for a first impression.")
    private boolean quick;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Also writes the table as Markdown.")
    private @Nullable Path markdown;

    @Parameters(
            paramLabel = "NAME",
            arity = "0..*",
            description = "Measures only these: ${COMPLETION-CANDIDATES}.",
            completionCandidates = Names.class)
    private List<String> names = new ArrayList<>();

    /** The names of all measurements. */
    static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Names() {
            super(ALL.stream().map(Benchmark::name).toList());
        }
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        Names known = new Names();
        for (String name : names) {
            if (!known.contains(name)) {
                System.err.println(
                        "pgkq bench: unknown benchmark '" + name + "'; available are " + String.join(", ", known));
                return CommandLine.ExitCode.USAGE;
            }
        }
        String machine = Machine.describe();
        Table table = new Table(measure());
        System.out.println(machine);
        System.out.print(table.text());
        if (markdown != null) {
            Files.writeString(markdown, machine + "\n\n" + table.markdown());
        }
        return CommandLine.ExitCode.OK;
    }

    private List<Row> measure() {
        List<Row> rows = new ArrayList<>();
        for (Benchmark benchmark : ALL) {
            if (names.isEmpty() || names.contains(benchmark.name())) {
                System.err.println("Measuring " + benchmark.doing() + "…");
                rows.addAll(benchmark.run(quick ? Benchmark.Effort.QUICK : Benchmark.Effort.FULL));
            }
        }
        return rows;
    }
}
