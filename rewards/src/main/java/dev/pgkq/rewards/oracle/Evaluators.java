package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.EpisodeReward;
import dev.pgkq.text.UserException;
import java.time.Clock;
import java.util.List;

/**
 * Opens evaluators by their specification:
 *
 * <ul>
 *   <li>{@code exec:COMMAND ARGS…} starts a program for each episode,
 *   <li>{@code python:MODULE:FUNCTION} calls a function of Python, in a process for each episode,
 *   <li>{@code http://…} and {@code https://…} post to a service,
 *   <li>{@code java:CLASS} calls a class that implements {@link EpisodeReward},
 *   <li>{@code files:FOLDER} exchanges files with jobs.
 * </ul>
 *
 * <p>{@code docs/rewards.md} documents requests and answers.
 */
public final class Evaluators {
    private static final List<String> FORMS = List.of(
            ExecEvaluator.PREFIX,
            PythonFunction.PREFIX,
            "http://",
            "https://",
            JavaEvaluator.PREFIX,
            FilesEvaluator.PREFIX);

    private Evaluators() {}

    /** Whether {@link #open} understands this kind of specification. */
    public static boolean knows(String spec) {
        return FORMS.stream().anyMatch(spec::startsWith);
    }

    /**
     * A specification without secrets, for messages and pages: the address of a service as in {@link Evaluator#identity()}, and
     * any other as it is.
     */
    public static String shown(String spec) {
        String given = spec.strip();
        return given.matches("(?is)https?:.*") ? ServiceAddress.withoutSecrets(given) : given;
    }

    /** Whether the evaluator works on any machine that has the same programs and classes. */
    public static boolean runsAnywhere(String spec) {
        return spec.startsWith(ExecEvaluator.PREFIX) || spec.startsWith(JavaEvaluator.PREFIX);
    }

    /**
     * An evaluator that calls an object of this process.
     *
     * @param name identifies the reward in the ledger: a reward that is computed in another way needs another name
     * @param reward computes it; several threads may call it at once
     */
    public static Evaluator of(String name, EpisodeReward reward) {
        return new JavaEvaluator(name, reward);
    }

    /**
     * Opens an evaluator, and checks beforehand what can be checked.
     *
     * @throws UserException if the specification is invalid, or the program, class or folder cannot be used
     */
    public static Evaluator open(String spec, EvaluatorSettings settings) {
        String form = FORMS.stream()
                .filter(spec::startsWith)
                .findFirst()
                .orElseThrow(
                        () -> new UserException("'" + spec.lines().findFirst().orElse("")
                                + "' does not specify rewards; use exec:COMMAND, python:MODULE:FUNCTION, http://ADDRESS, https://ADDRESS, java:CLASS"
                                + " or files:FOLDER"));
        String rest = spec.substring(form.length());
        return switch (form) {
            case ExecEvaluator.PREFIX -> new ExecEvaluator(rest, settings);
            case PythonFunction.PREFIX ->
                new ExecEvaluator(ProgramKind.FUNCTION, PythonFunction.command(rest, settings), settings);
            case JavaEvaluator.PREFIX -> new JavaEvaluator(rest);
            case FilesEvaluator.PREFIX -> new FilesEvaluator(rest, settings, Time.REAL);
            default -> new HttpEvaluator(spec.strip(), settings, Clock.systemUTC());
        };
    }
}
