package dev.pgkq.rewards.oracle;

/** What a program is to its user, who is told about its failures in these words. */
enum ProgramKind {
    /** A command, which prints an answer. */
    COMMAND(ExecEvaluator.PREFIX) {
        @Override
        String failed(int exitCode) {
            return "failed with exit code " + exitCode;
        }

        @Override
        String invalid(String problem) {
            return "gave an invalid answer: " + problem + "; standard output must contain only the answer";
        }

        @Override
        String rightAnswer(int length) {
            return AnswerReader.example(length);
        }
    },
    /** A function of Python, which returns one. {@code judge.py} calls it and ends with 1 if it fails. */
    FUNCTION(PythonFunction.PREFIX) {
        @Override
        String failed(int exitCode) {
            return exitCode == 1 ? "failed" : "ended its process with exit code " + exitCode;
        }

        @Override
        String invalid(String problem) {
            return "returned an invalid answer: " + problem;
        }

        @Override
        String rightAnswer(int length) {
            return "a number, a list or array of " + length + (length == 1 ? " number" : " numbers")
                    + ", one for each step, or a dictionary such as {\"return\": 7.5, \"cost\": 0.02}";
        }
    };

    private final String prefix;

    ProgramKind(String prefix) {
        this.prefix = prefix;
    }

    /** The first part of identities. */
    String prefix() {
        return prefix;
    }

    /** What happened, if the process ended with this exit code, which is not 0. */
    abstract String failed(int exitCode);

    /** What happened, if the answer is wrong for this reason. */
    abstract String invalid(String problem);

    /** What a right answer would be, for an episode of this length. */
    abstract String rightAnswer(int length);
}
