package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.EpisodeReward;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A class of the user's, asked in this process. */
final class JavaEvaluator implements Evaluator {
    static final String PREFIX = "java:";

    private final String name;
    private final EpisodeReward reward;

    /**
     * @throws UserException if there is no such class, or none that can be used
     */
    JavaEvaluator(String name) {
        this.name = name.strip();
        this.reward = make(load(this.name));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, JavaEvaluator.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new UserException(
                    "there is no class '" + name
                            + "' on the class path, which should tell the reward; set PGKQ_CLASSPATH to"
                            + " the jar or the folder that holds it, and give its whole name with the package",
                    e);
        } catch (LinkageError e) {
            throw new UserException(
                    "the class " + name + " cannot be loaded: " + e
                            + "; what it needs must be on PGKQ_CLASSPATH, too, and compiled for the Java that runs pgkq",
                    e);
        }
    }

    private static EpisodeReward make(Class<?> type) {
        String name = type.getName();
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw new UserException(
                    "the class " + name + " should tell the reward, but is abstract; name one that is not");
        }
        if (!EpisodeReward.class.isAssignableFrom(type)) {
            throw new UserException("the class " + name + " does not implement " + EpisodeReward.class.getName()
                    + ".OfSteps or .OfWhole, which a class that tells the reward has to");
        }
        try {
            return (EpisodeReward) type.getConstructor().newInstance();
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new UserException(
                    "the class " + name + " needs to be public and to have a public constructor without arguments", e);
        } catch (InstantiationException e) {
            throw new UserException("the class " + name + " cannot be made into an object", e);
        } catch (InvocationTargetException e) {
            throw new UserException("making a " + name + " failed: " + described(e.getCause()), e);
        } catch (ExceptionInInitializerError e) {
            throw new UserException("making a " + name + " failed: " + described(e.getCause()), e);
        } catch (LinkageError e) {
            throw new UserException("making a " + name + " failed: " + described(e), e);
        }
    }

    @Override
    public String identity() {
        return PREFIX + name;
    }

    @Override
    public Optional<Grain> grain() {
        return Optional.of(reward.grain());
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        Cancelled.ifInterrupted();
        try {
            return switch (reward) {
                case EpisodeReward.OfSteps steps ->
                    checked(
                            steps.rewards(request.episode(), request.spec()),
                            request.episode().length());
                case EpisodeReward.OfWhole whole -> {
                    double value = whole.reward(request.episode(), request.spec());
                    requireFinite(value, "the reward");
                    yield Reply.ofEpisode(value);
                }
            };
        } catch (EvaluationException | InterruptedException e) {
            throw e;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            Cancelled.ifInterrupted();
            throw EvaluationException.passing(identity() + " failed: " + described(e), e);
        }
    }

    private Reply checked(double @Nullable [] rewards, int length) throws EvaluationException {
        if (rewards == null) {
            throw EvaluationException.passing(identity() + " answered null instead of " + length + " rewards");
        }
        if (rewards.length != length) {
            throw EvaluationException.passing(
                    identity() + " answered " + rewards.length + " rewards for an episode of " + length + " steps");
        }
        for (int t = 0; t < length; t++) {
            requireFinite(rewards[t], "the reward of step " + t);
        }
        return Reply.ofSteps(rewards.clone());
    }

    private void requireFinite(double value, String what) throws EvaluationException {
        if (!Double.isFinite(value)) {
            throw EvaluationException.passing(
                    identity() + " answered " + value + " as " + what + ", and rewards must be finite");
        }
    }

    /** With the place, as it is the user's own code. */
    private static String described(@Nullable Throwable failure) {
        if (failure == null) {
            return "for an unknown reason";
        }
        StackTraceElement[] trace = failure.getStackTrace();
        return Excerpt.first(failure.toString()) + (trace.length == 0 ? "" : " at " + trace[0]);
    }

    @Override
    public void close() {
        try {
            reward.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new UserException("closing " + identity() + " failed: " + described(e), e);
        }
    }
}
