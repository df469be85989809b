package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.EpisodeReward;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls a class that implements {@link EpisodeReward}, in this process. */
final class JavaEvaluator implements Evaluator {
    static final String PREFIX = "java:";

    private final String name;
    private final EpisodeReward reward;
    private final Map<String, String> contents;

    /**
     * @throws UserException if there is no such class, or it cannot be used
     */
    JavaEvaluator(String name) {
        this.name = name.strip();
        Class<?> type = load(this.name);
        this.reward = make(type);
        this.contents = hash(type).map(hash -> Map.of(this.name, hash)).orElse(Map.of());
    }

    JavaEvaluator(String name, EpisodeReward reward) {
        this.name = name;
        this.reward = reward;
        this.contents = Map.of();
    }

    /** The hash of the class file, without those of other classes that it uses. */
    private static Optional<String> hash(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in == null ? Optional.empty() : Optional.of(FileHashes.of(in));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Class<?> load(String name) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            return Class.forName(name, false, loader == null ? JavaEvaluator.class.getClassLoader() : loader);
        } catch (ClassNotFoundException e) {
            throw new UserException(
                    "there is no class '" + name
                            + "' on the class path, which should compute the reward; add the jar or folder that contains it to"
                            + " the class path (PGKQ_CLASSPATH for the launcher), and specify its full name with the package",
                    e);
        } catch (LinkageError e) {
            throw new UserException(
                    "the class " + name + " cannot be loaded: " + e
                            + "; its dependencies must be on the class path, too (PGKQ_CLASSPATH for the launcher), and compiled for this"
                            + " version of Java",
                    e);
        }
    }

    private static EpisodeReward make(Class<?> type) {
        String name = type.getName();
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw new UserException(
                    "the class " + name + " should compute the reward but is abstract; specify one that is not");
        }
        if (!EpisodeReward.class.isAssignableFrom(type)) {
            throw new UserException("the class " + name + " does not implement " + EpisodeReward.class.getName()
                    + ".OfSteps or .OfWhole, which a class that computes the reward must implement");
        }
        try {
            return (EpisodeReward) type.getConstructor().newInstance();
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new UserException(
                    "the class " + name + " must be public and have a public constructor without arguments", e);
        } catch (InstantiationException e) {
            throw new UserException("the class " + name + " cannot be instantiated", e);
        } catch (InvocationTargetException e) {
            throw new UserException("creating an instance of " + name + " failed: " + described(e.getCause()), e);
        } catch (ExceptionInInitializerError e) {
            throw new UserException("creating an instance of " + name + " failed: " + described(e.getCause()), e);
        } catch (LinkageError e) {
            throw new UserException("creating an instance of " + name + " failed: " + described(e), e);
        }
    }

    @Override
    public String identity() {
        return PREFIX + name;
    }

    @Override
    public Map<String, String> contents() {
        return contents;
    }

    @Override
    public Optional<Grain> grain() {
        return Optional.of(reward.grain());
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        Interruption.check();
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
            Interruption.check();
            throw EvaluationException.temporary(identity() + " failed: " + described(e), e)
                    .againstContract();
        }
    }

    private Reply checked(double @Nullable [] rewards, int length) throws EvaluationException {
        if (rewards == null) {
            throw EvaluationException.temporary(identity() + " returned null instead of " + length + " rewards")
                    .againstContract();
        }
        if (rewards.length != length) {
            throw EvaluationException.temporary(identity() + " returned " + rewards.length
                            + " rewards for an episode of " + length + " steps")
                    .againstContract();
        }
        for (int t = 0; t < length; t++) {
            requireFinite(rewards[t], "the reward of step " + t);
        }
        return Reply.ofSteps(rewards.clone());
    }

    private void requireFinite(double value, String what) throws EvaluationException {
        if (!Double.isFinite(value)) {
            throw EvaluationException.temporary(
                            identity() + " returned " + value + " as " + what + ", but rewards must be finite")
                    .againstContract();
        }
    }

    /** With the position, because it is the user's own code. */
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
