package dev.pgkq.app.config;

import dev.pgkq.reward.TaskReward;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.rewards.people.PeopleSettings;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The reward that a run trains on.
 *
 * @param text as it was given
 * @param ofTask the reward of the task; empty for external rewards
 * @param isHuman whether people rate
 */
record RewardChoice(String text, Optional<TaskReward> ofTask, boolean isHuman) {
    private static final int LONGEST_SHOWN = 80;

    static final RewardChoice BUILTIN = of(Words.of(TaskReward.BUILTIN));

    static RewardChoice of(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        Optional<TaskReward> ofTask = Arrays.stream(TaskReward.values())
                .filter(reward -> Words.of(reward).equals(word))
                .findFirst();
        boolean human = word.equals(PeopleSettings.REWARD);
        if (ofTask.isEmpty() && !human && !Evaluators.knows(text)) {
            throw new IllegalArgumentException("one of " + String.join(", ", Words.all(TaskReward.class))
                    + ", human, exec:COMMAND, python:MODULE:FUNCTION, http://ADDRESS, https://ADDRESS, java:CLASS, files:FOLDER"
                    + program(text));
        }
        return new RewardChoice(text, ofTask, human);
    }

    /** A hint if the text seems to be a program. */
    private static String program(String text) {
        boolean isScript = text.endsWith(".py") && !text.contains(" ");
        boolean canBeShown = text.length() <= LONGEST_SHOWN && text.chars().noneMatch(Character::isISOControl);
        if (!canBeShown || !(isScript || text.contains(" "))) {
            return "";
        }
        return isScript
                ? " (did you mean \"python:" + module(text)
                        + ":FUNCTION\", which calls a function in it, or \"exec:python3 " + text
                        + "\", which runs it as a program?)"
                : " (did you mean \"exec:" + text + "\"?)";
    }

    private static String module(String script) {
        return script.substring(0, script.length() - ".py".length())
                .replaceFirst("^(\\./)+", "")
                .replace('/', '.');
    }

    double noise() {
        return ofTask.map(TaskReward::noise).orElse(0.0);
    }

    @Override
    public String toString() {
        return text;
    }
}
