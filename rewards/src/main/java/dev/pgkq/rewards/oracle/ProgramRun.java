package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.oracle.EvaluationException.Call;
import dev.pgkq.rewards.oracle.EvaluatorSettings.Limits;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Excerpt;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A running program, until it answers or fails.
 *
 * @param kind what the program is to the user
 * @param identity name in messages
 * @param folder its working directory
 * @param process its first process
 * @param tree all its processes
 * @param output its standard output
 * @param errors log of its standard error
 * @param limits limits of the answer
 */
record ProgramRun(
        ProgramKind kind,
        String identity,
        Path folder,
        Process process,
        ProcessTree tree,
        ProgramOutput output,
        BoundedLog errors,
        Limits limits) {
    /** {@code EX_CONFIG} of sysexits.h: by this a program says that another attempt cannot help. */
    private static final int DO_NOT_RETRY = 78;
    /** The exit code of a process killed by signal n is this plus n. */
    private static final int SIGNALS = 128;
    /** How long the errors of an ended process may stay open because of a descendant that was not found. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /**
     * Waits for the answer. After an interrupt, processes may still be running. An interrupt after the program has ended does not
     * cost the answer, which has been paid for.
     */
    Reply answer(int length) throws EvaluationException, InterruptedException {
        Thread ofErrors = Thread.ofPlatform()
                .name("pgkq-oracle-stderr")
                .daemon()
                .start(() -> errors.drain(process.getErrorStream()));
        boolean inTime = readOutput();
        tree.stop();
        try {
            ofErrors.join(DRAIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return answer(length, inTime);
    }

    private boolean readOutput() throws EvaluationException, InterruptedException {
        try {
            return output.readUntilEnd(process, limits.timeout());
        } catch (IOException e) {
            throw EvaluationException.temporary("cannot read the output of " + identity + ": " + e.getMessage(), e);
        }
    }

    private Reply answer(int length, boolean inTime) throws EvaluationException {
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
            EvaluationException failure = failed(kind.failed(exitCode) + signal)
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

    private EvaluationException failed(EvaluationException answer) {
        String what = answer.isAgainstContract() ? kind.invalid(answer.getMessage()) : answer.getMessage();
        return answer.withMessage(failed(what).getMessage());
    }

    private EvaluationException failed(String what) {
        String said = Excerpt.last(errors.end());
        return EvaluationException.temporary(identity + " " + what
                + (said.isEmpty() ? "" : "; its last output: " + said + "; all of it is in " + errors.file())
                + "; the request is in " + folder);
    }
}
