package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.oracle.EvaluatorSettings.Limits;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Excerpt;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A program that has been started, until it has answered or failed.
 *
 * @param identity what it is called in messages
 * @param folder where it works
 * @param tree all its processes
 * @param errors where its standard error goes
 */
record ProgramRun(String identity, Path folder, Process process, ProcessTree tree, BoundedLog errors, Limits limits) {
    /** {@code EX_CONFIG} of sysexits.h: a program's way to say that trying again will not help. */
    private static final int DO_NOT_RETRY = 78;
    /** What the exit code of a process that was killed begins at. */
    private static final int SIGNALS = 128;
    /** How long the output of a process that has ended may stay open: a process that it left, and that is not found, holds it. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /** Waits for the answer; after an interrupt something of it may still be running. */
    Reply answer(int length) throws EvaluationException, InterruptedException {
        BoundedOutput output = new BoundedOutput(limits.bytes(), tree::stop);
        Thread ofErrors = drain("stderr", () -> errors.drain(process.getErrorStream()));
        Thread ofOutput = drain("stdout", () -> output.drain(process.getInputStream()));
        boolean inTime = process.waitFor(limits.timeout());
        tree.stop();
        ofOutput.join(DRAIN);
        ofErrors.join(DRAIN);
        if (!inTime) {
            throw failed("did not answer within " + Durations.format(limits.timeout()) + " and was stopped");
        }
        if (output.overflowed()) {
            throw failed(AnswerReader.tooLong(limits.bytes()));
        }
        int exitCode = process.exitValue();
        if (exitCode != 0) {
            String signal = exitCode > SIGNALS ? " (killed by signal " + (exitCode - SIGNALS) + ")" : "";
            EvaluationException failure = failed("failed with exit code " + exitCode + signal);
            throw exitCode == DO_NOT_RETRY ? EvaluationException.lasting(failure.getMessage()) : failure;
        }
        try {
            return AnswerReader.read(output.bytes(), length);
        } catch (EvaluationException e) {
            throw failed(e);
        }
    }

    private static Thread drain(String name, Runnable work) {
        return Thread.ofPlatform().name("pgkq-oracle-" + name).daemon().start(work);
    }

    private EvaluationException failed(EvaluationException answer) {
        return failed(
                "did not answer as it should: " + answer.getMessage() + "; standard output is for the answer alone");
    }

    private EvaluationException failed(String what) {
        String said = Excerpt.last(errors.end());
        return EvaluationException.passing(
                identity + " " + what + (said.isEmpty() ? "" : "; its last words: " + said) + "; see " + folder);
    }
}
