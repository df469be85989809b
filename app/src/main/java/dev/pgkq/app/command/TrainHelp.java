package dev.pgkq.app.command;

import dev.pgkq.app.config.Group;
import dev.pgkq.app.config.SettingOptions;
import dev.pgkq.text.Paragraph;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of {@code pgkq train} in groups.
 *
 * @param isFull whether all are shown, or only those that most people need
 */
record TrainHelp(boolean isFull) implements IHelpSectionRenderer {
    private static final String INDENT = " ".repeat(28);
    private static final int WIDEST = 100;
    private static final String DEFAULT = "(default: ";
    /** The same where no line may break. */
    private static final String TOGETHER = "(default:\u00a0";

    private static final List<String> RUN = List.of(TrainCommand.CONFIG, TrainCommand.RESUME, TrainCommand.DASHBOARD);
    private static final List<String> MORE = List.of(TrainCommand.DASHBOARD_PORT, TrainCommand.DEBUG);
    private static final List<String> HELP = List.of("--help", TrainCommand.HELP_ALL, "--version");

    @Override
    public String render(Help help) {
        StringBuilder text = new StringBuilder();
        for (Group group : Group.values()) {
            Stream<String> settings = SettingOptions.names(group, isFull).stream();
            Stream<String> others = group == Group.RUN ? RUN.stream() : Stream.empty();
            Stream<String> more = group == Group.RUN && isFull ? MORE.stream() : Stream.empty();
            append(
                    text,
                    group.title(),
                    Stream.of(settings, others, more).flatMap(names -> names).toList(),
                    help);
        }
        append(text, "Help", HELP, help);
        return text.toString();
    }

    private static void append(StringBuilder text, String title, List<String> names, Help help) {
        if (names.isEmpty()) {
            return;
        }
        CommandSpec spec = help.commandSpec();
        int width = Math.min(WIDEST, spec.usageMessage().width() - 1);
        text.append('\n').append(title).append(":\n");
        for (String name : names) {
            OptionSpec option = spec.findOption(name);
            String head = "  " + String.join(", ", option.names()) + parameter(option);
            boolean fits = head.length() < INDENT.length() - 1;
            text.append(fits ? head + INDENT.substring(head.length()) : head + "\n" + INDENT);
            String words = String.join(" ", option.description()).replace(DEFAULT, TOGETHER);
            List<String> lines = Paragraph.lines(words, width - INDENT.length(), "");
            text.append(String.join("\n" + INDENT, lines).replace(TOGETHER, DEFAULT))
                    .append('\n');
        }
    }

    private static String parameter(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        return option.arity().min() == 0 ? "[=" + option.paramLabel() + "]" : " " + option.paramLabel();
    }
}
