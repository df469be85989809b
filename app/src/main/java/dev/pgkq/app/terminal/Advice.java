package dev.pgkq.app.terminal;

import dev.pgkq.env.TaskFailureException;
import dev.pgkq.env.UnknownTaskException;
import dev.pgkq.gym.PythonException;
import dev.pgkq.mujoco.MujocoException;
import dev.pgkq.policy.ScoresTooLargeException;
import dev.pgkq.purchase.MissingRewardsException;
import dev.pgkq.rewards.cluster.ClusterException;
import dev.pgkq.rewards.desk.FirstAnswerException;
import dev.pgkq.text.UserException;
import dev.pgkq.train.TrainingDivergedException;

/** Adds to a library's error message which command or option helps: the library knows neither. */
public final class Advice {
    private static final String BEFORE_ANY_ANSWER =
            "Fix the cause and start again with --resume; until there is an answer, another --reward is allowed";

    private Advice() {}

    /** Returns the message of an exception, followed by advice for the command line if there is any. */
    public static String message(UserException e) {
        String message = String.valueOf(e.getMessage());
        String advice = of(e);
        if (advice.isEmpty()) {
            return message;
        }
        if (message.contains(System.lineSeparator())) {
            return message + System.lineSeparator() + advice;
        }
        return message + (message.endsWith(".") || message.endsWith("?") ? " " : ". ") + advice;
    }

    private static String of(UserException e) {
        return switch (e) {
            case MissingRewardsException missing -> afterMissing(missing);
            case FirstAnswerException first -> BEFORE_ANY_ANSWER + ". 'pgkq reward try' asks once without a run";
            case UnknownTaskException unknown ->
                "Environments in Python are gym:ID and python:MODULE:CLASS. A task of your own in Java needs its jar or folder:"
                        + " --classpath PATH, or PGKQ_CLASSPATH" + classPath();
            case TaskFailureException failure -> "'pgkq envs --check " + failure.taskId() + "' checks the task";
            case TrainingDivergedException diverged ->
                "The last checkpoint is from iteration " + (diverged.iteration() - 1) + ", before this happened";
            case ScoresTooLargeException scores -> "--score-dimensions sets their number";
            case MujocoException mujoco ->
                "'pgkq doctor' checks whether MuJoCo is found; --mujoco PATH selects the library";
            case PythonException python -> about(python.problem());
            case ClusterException cluster -> about(cluster.problem());
            default -> "";
        };
    }

    private static String classPath() {
        String given = System.getenv("PGKQ_CLASSPATH");
        return given == null || given.isBlank() ? ", which is not set" : ", which is " + given;
    }

    private static String about(PythonException.Problem problem) {
        return switch (problem) {
            case INTERPRETER -> "--python PATH selects the interpreter, such as --python .venv/bin/python";
            case ENVIRONMENT ->
                "--python PATH selects the interpreter, and 'pgkq envs --check ID' checks an environment";
            case FAILURE ->
                "'pgkq envs --check ID' checks an environment. Saved iterations are intact: continue with --resume once"
                        + " the cause is fixed";
            case TIMEOUT ->
                "--env-timeout SECONDS allows more time; saved iterations are intact, and --resume continues";
        };
    }

    private static String about(ClusterException.Problem problem) {
        return switch (problem) {
            case SOFTWARE -> "Start with ./pgkq, which provides them, or with spark-submit and the jar of that module";
            case ADDRESS -> "--cluster sets the address";
            case UNREACHABLE ->
                "--cluster sets the address; './pgkq cluster start' starts a Spark master on this machine";
            case NO_EXECUTORS ->
                "Request less with --cluster-options spark.executor.memory=…,spark.executor.cores=…, or wait longer with"
                        + " a larger --cluster-timeout";
            case EXECUTORS_LOST ->
                "Restart it or use another one. Everything up to the last iteration is saved; continue with --resume,"
                        + " with or without --cluster";
            case FAILURE ->
                "Saved iterations are intact: fix the cause and start again, with --resume if the run had started."
                        + " PGKQ_SPARK_LOG=FILE writes Spark's log to a file";
        };
    }

    private static String afterMissing(MissingRewardsException missing) {
        if (missing.iteration() == 1 && missing.received() == 0) {
            return BEFORE_ANY_ANSWER;
        }
        return "Everything up to iteration " + (missing.iteration() - 1)
                + " is saved, and paid rewards are kept: fix the cause and continue with --resume";
    }
}
