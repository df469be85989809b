package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Adviser;
import dev.pgkq.advise.AdviserSettings;
import dev.pgkq.advise.Ask;
import dev.pgkq.advise.Choice;
import dev.pgkq.advise.Estimates;
import dev.pgkq.advise.Items;
import dev.pgkq.advise.Told;
import dev.pgkq.parallel.Workers;
import dev.pgkq.select.Pace;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.UserException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The model of each judge, made when it is first needed: from its newest checkpoint and the lessons after that, which gives the same
 * bits as never having stopped. What is in memory is a copy of what is on disk. If something that a model has learned could not be
 * recorded, {@link #discard} forgets the copy, and the next use makes another one.
 *
 * <p>Not thread-safe: the caller holds a lock.
 */
final class Models {
    /** Lessons between two checkpoints: replaying one takes milliseconds. */
    private static final int LESSONS_PER_CHECKPOINT = 16;

    /** Each has some megabytes. */
    private static final int MOST = 64;

    private final AdviserStore store;
    private final ModelCheckpoints checkpoints;
    private final Identity identity;
    private final Workers workers;
    private final ModelCheckpoints.Warnings warnings;
    private final Map<String, Model> models = new HashMap<>();

    /** A model in memory. */
    private static final class Model {
        private final Adviser adviser;
        /** The last lesson it has learned. */
        private long lesson;
        /** The lesson of its newest checkpoint; -1 if there is none. */
        private long saved;

        Model(Adviser adviser, long lesson, long saved) {
            this.adviser = adviser;
            this.lesson = lesson;
            this.saved = saved;
        }
    }

    Models(
            AdviserStore store,
            ModelCheckpoints checkpoints,
            Identity identity,
            Workers workers,
            ModelCheckpoints.Warnings warnings) {
        this.store = store;
        this.checkpoints = checkpoints;
        this.identity = identity;
        this.workers = workers;
        this.warnings = warnings;
    }

    /**
     * Chooses items of a round.
     *
     * @throws AdviceRefused if the items or the choice are not possible
     */
    Choice ask(String judge, Items items, Ask how) {
        return of(judge, items.width()).adviser.ask(items, how);
    }

    Estimates tell(String judge, Choice choice, List<Told> scores) {
        return of(judge, choice.items().width()).adviser.tell(choice, scores);
    }

    /** What would be believed if these scores were all that will be told. */
    Estimates estimate(OpenRound round) {
        Choice choice = round.round().choice(round.stored().items());
        Model model = of(round.round().judge(), choice.items().width());
        return round.estimates(model.lesson, () -> model.adviser.estimate(choice, round.told()));
    }

    void learn(String judge, Items items, List<Told> scores) {
        of(judge, items.width()).adviser.learn(items, scores);
    }

    /** Forgets what is only in memory. */
    void discard(String judge) {
        models.remove(judge);
    }

    /** The model has learned this lesson, and it is on disk. */
    void learned(String judge, long lesson) {
        Model model = models.get(judge);
        if (model != null) {
            model.lesson = lesson;
            if (model.saved < 0 || lesson - model.saved >= LESSONS_PER_CHECKPOINT) {
                save(judge, model);
            }
        }
    }

    /** Saves what was learned since the last checkpoints. */
    void save() {
        models.forEach((judge, model) -> {
            if (model.saved != model.lesson) {
                save(judge, model);
            }
        });
    }

    private void save(String judge, Model model) {
        try {
            checkpoints.save(judge, new ModelCheckpoints.Saved(model.lesson, model.adviser.snapshot()));
        } catch (UserException e) {
            // the lessons are on disk
            warnings.add(e.getMessage() + ". The next start takes longer, and nothing is lost");
        }
        model.saved = model.lesson;
    }

    private Model of(String judge, int width) {
        Model known = models.get(judge);
        if (known != null) {
            return known;
        }
        if (models.size() >= MOST) {
            throw AdviceRefused.invalid(
                    "there are " + MOST + " judges already; start another adviser for '" + judge + "'");
        }
        Model model = restored(judge, width);
        models.put(judge, model);
        return model;
    }

    private Model restored(String judge, int width) {
        AdviserSettings settings =
                new AdviserSettings(width, identity.grain(), AdviserSettings.auto(Integer.MAX_VALUE), identity.seed());
        Adviser[] adviser = {new Adviser(settings, workers)};
        Optional<ModelCheckpoints.Saved> saved = checkpoints.newest(
                judge,
                store.lastLesson(),
                snapshot -> {
                    if (isRestored(adviser[0], snapshot)) {
                        return true;
                    }
                    adviser[0] = new Adviser(settings, workers);
                    return false;
                },
                warnings);
        if (saved.isEmpty()) {
            // the first items give the units of features
            store.firstRoundOf(judge)
                    .ifPresent(first -> adviser[0].ask(
                            store.items(first.number()).items(), Ask.of(new Pace.Fixed(1), first.number())));
        }
        long from = saved.map(ModelCheckpoints.Saved::lesson).orElse(0L);
        Model model = new Model(adviser[0], from, saved.isEmpty() ? -1 : from);
        for (Lesson lesson : store.lessonsAfter(judge, from)) {
            replay(model.adviser, lesson);
            model.lesson = lesson.number();
        }
        return model;
    }

    private static boolean isRestored(Adviser adviser, Snapshot snapshot) {
        try {
            adviser.restore(snapshot);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void replay(Adviser adviser, Lesson lesson) {
        Items items = store.items(lesson.round()).items();
        if (lesson.closes()) {
            Round round = store.round(lesson.round()).orElseThrow();
            adviser.tell(round.choice(items), lesson.scores());
        } else {
            adviser.learn(items, lesson.scores());
        }
    }
}
