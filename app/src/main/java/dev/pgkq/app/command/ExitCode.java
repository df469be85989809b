package dev.pgkq.app.command;

/** The exit codes of the tool. The launcher adds none: it exits with {@link #INCOMPLETE} where it cannot build or start. */
public enum ExitCode {
    /** Done. A budget that is used up is no failure. */
    DONE(0),
    /** The command ran, and part of its work failed: runs of {@code reproduce}, checks of {@code doctor}. */
    INCOMPLETE(1),
    /** Something that the user can fix. */
    BAD_INPUT(2),
    INTERNAL_ERROR(70),
    OUT_OF_MEMORY(71),
    /** Stopped by a signal: what a shell expects of a program that was interrupted. */
    STOPPED(130);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
