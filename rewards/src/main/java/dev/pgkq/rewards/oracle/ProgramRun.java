package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.oracle.EvaluationException.Call;
import dev.pgkq.rewards.oracle.EvaluatorSettings.Limits;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Excerpt;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A running program, until it answers or fails.
 *
 * @param identity name in messages
 * @param folder its working directory
 * @param process its first process
 * @param tree all its processes
 * @param errors log of its standard error
 * @param limits limits of the answer
 */
record ProgramRun(String identity, Path folder, Process process, ProcessTree tree, BoundedLog errors, Limits limits) {
    /** {@code EX_CONFIG} of sysexits.h: by this a program says that another attempt cannot help. */
    private static final int DO_NOT_RETRY = 78;
    /** The exit code of a process killed by signal n is this plus n. */
    private static final int SIGNALS = 128;
    /** How long the output of an ended process may stay open because of a descendant that was not found. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /** Waits for the answer. After an interrupt, processes may still be running. */
    Reply answer(int length) throws EvaluationException, InterruptedException {
        BoundedOutput output = new BoundedOutput(limits.bytes(), tree::stop);
        Thread ofErrors = drain("stderr", () -> errors.drain(process.getErrorStream()));
        Thread ofOutput = drain("stdout", () -> output.drain(process.getInputStream()));
        boolean inTime = process.waitFor(limits.timeout());
        tree.stop();
        ofOutput.join(DRAIN);
        ofErrors.join(DRAIN);
        if (!inTime) {
            throw failed("did not answer within " + Durations.format(limits.timeout()) + " and was stopped")
                    .with(Call.IN_DOUBT);
        }
        if (output.overflowed()) {
            throw failed(AnswerReader.tooLong(limits.bytes()));
        }
        int exitCode = process.exitValue();
        if (exitCode != 0) {
            String signal = exitCode > SIGNALS ? " (killed by signal " + (exitCode - SIGNALS) + ")" : "";
            EvaluationException failure = failed("failed with exit code " + exitCode + signal)
                    .with(isAnswer(output.bytes(), length) ? Call.IN_DOUBT : Call.FAILED)
                    .withCost(ErrorAnswer.cost(output.bytes()));
            throw exitCode == DO_NOT_RETRY ? failure.givenUp(failure.getMessage()) : failure.againstContract();
        }
        try {
            return AnswerReader.read(output.bytes(), length);
        } catch (EvaluationException e) {
            throw failed(e);
        }
    }

    /** Whether a program that failed had answered before: what it did may have been paid for. */
    private static boolean isAnswer(byte[] output, int length) {
        try {
            AnswerReader.read(output, length);
            return true;
        } catch (EvaluationException e) {
            return false;
        }
    }

    private static Thread drain(String name, Runnable work) {
        return Thread.ofPlatform().name("pgkq-oracle-" + name).daemon().start(work);
    }

    private EvaluationException failed(EvaluationException answer) {
        String what = answer.isAgainstContract()
                ? "gave an invalid answer: " + answer.getMessage() + "; standard output must contain only the answer"
                : answer.getMessage();
        return answer.withMessage(failed(what).getMessage());
    }

    private EvaluationException failed(String what) {
        String said = Excerpt.last(errors.end());
        return EvaluationException.temporary(
                identity + " " + what + (said.isEmpty() ? "" : "; its last output: " + said) + "; see " + folder);
    }
}
