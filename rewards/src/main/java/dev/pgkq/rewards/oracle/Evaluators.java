package dev.pgkq.rewards.oracle;

import dev.pgkq.text.UserException;
import java.time.Clock;
import java.util.List;

/** The ways to ask for rewards, by what they are called on the command line. */
public final class Evaluators {
    private static final List<String> FORMS =
            List.of(ExecEvaluator.PREFIX, "http://", "https://", JavaEvaluator.PREFIX, FilesEvaluator.PREFIX);

    private Evaluators() {}

    /** Whether it is one of them, as {@code exec:…} is and {@code builtin} is not. */
    public static boolean knows(String spec) {
        return FORMS.stream().anyMatch(spec::startsWith);
    }

    /** Whether it can be asked from any machine that has the same programs and classes. */
    public static boolean runsAnywhere(String spec) {
        return spec.startsWith(ExecEvaluator.PREFIX) || spec.startsWith(JavaEvaluator.PREFIX);
    }

    /**
     * Opens {@code exec:COMMAND ARGS…}, {@code http://…}, {@code https://…}, {@code java:CLASS} or {@code files:DIR}, and
     * checks what can be checked before anything is asked.
     *
     * @throws UserException if it cannot be used
     */
    public static Evaluator parse(String spec, EvaluatorSettings settings) {
        String form = FORMS.stream()
                .filter(spec::startsWith)
                .findFirst()
                .orElseThrow(
                        () -> new UserException("'" + spec.lines().findFirst().orElse("")
                                + "' is no way to get rewards; there are exec:COMMAND, http://ADDRESS, https://ADDRESS, java:CLASS"
                                + " and files:FOLDER"));
        String rest = spec.substring(form.length());
        return switch (form) {
            case ExecEvaluator.PREFIX -> new ExecEvaluator(rest, settings);
            case JavaEvaluator.PREFIX -> new JavaEvaluator(rest);
            case FilesEvaluator.PREFIX -> new FilesEvaluator(rest, settings, Time.REAL);
            default -> new HttpEvaluator(spec.strip(), settings, Clock.systemUTC());
        };
    }
}
