package dev.pgkq.rewards.advise;

import dev.pgkq.advise.AdviserSettings;
import dev.pgkq.parallel.Workers;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.FolderLock;
import dev.pgkq.rewards.ledger.HandOuts.Answered;
import dev.pgkq.rewards.ledger.HandOuts.Outcome;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.select.Pace;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * An adviser whose rounds and scores are on disk. A caller {@link #ask asks} which of many items to score, scores them, and
 * {@link #tell tells} the scores, from which the rewards of all items are estimated. The two may be hours and several processes apart.
 *
 * <p>A folder has three kinds of files. The ledger is the truth about scores and about how often each was asked for, the database of
 * the adviser is the truth about rounds, and checkpoints save time. Nothing is answered before it is on disk, in this order:
 *
 * <pre>
 *   ask    round ──► calls in the ledger ──► answer        a round whose calls are not there was never heard of, and is removed
 *   again  calls in the ledger ──► request ──► answer      calls without their request are made again if it is repeated, and count twice
 *   tell   scores in the ledger ──► lesson ──► answer      scores without a lesson make one at the next start
 * </pre>
 *
 * <p>So a process may be killed at any time: no score is lost, no item is handed out twice without being declared as in doubt, and
 * models learn the same lessons in the same order, to the same bits. One process has the folder at a time. Thread-safe.
 */
public final class DurableAdviser implements AutoCloseable {
    /** The database of rounds in the folder. */
    public static final String FILE = "adviser.db";

    /** Nobody else can have the folder, and who is dead is recognized by that: claims need not expire. */
    private static final Duration LEASE = Duration.ofDays(36_500);

    private static final int MOST_LISTED = 10_000;

    private final Path folder;
    private final FolderLock folderLock;
    private final Ledger ledger;
    private final AdviserStore store;
    private final Workers workers;
    private final Options options;
    private final Books books;
    private final Scoring scoring;
    private final Asking asking;
    private final GroupCommit<List<Answered>, Outcome> commits;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * How to open an adviser.
     *
     * @param judge who scores unless a question says otherwise
     * @param grain whether an item has one score, or each of its steps has one; empty for what it was, or one for an item
     * @param seed determines the features of the model and random numbers; empty for what it was, or 1
     * @param pace how many items to score unless a question says otherwise
     * @param budget what may be spent over all rounds: how often items may be handed out, and what their scores may cost
     * @param threads for computations; results do not depend on their number
     * @param warnings receives what a person should know and nothing stops at
     */
    public record Options(
            String judge,
            Optional<Grain> grain,
            Optional<Long> seed,
            Pace pace,
            Budget budget,
            int threads,
            Warnings warnings) {
        /** The usual name of a judge. */
        public static final String JUDGE = "judge";

        /** No limit, one score for an item, and as many as what is known calls for. */
        public static Options defaults() {
            return new Options(
                    JUDGE,
                    Optional.empty(),
                    Optional.empty(),
                    AdviserSettings.auto(Integer.MAX_VALUE),
                    Budget.UNLIMITED,
                    Runtime.getRuntime().availableProcessors(),
                    message -> {});
        }

        /** The same with a limit. */
        public Options withMaxEvaluations(long count) {
            return withBudget(new Budget(count, budget.cost(), budget.costOfOne()));
        }

        /** The same with other limits. */
        public Options withBudget(Budget other) {
            return new Options(judge, grain, seed, pace, other, threads, warnings);
        }

        /** The same for a fixed number of items, or another pace. */
        public Options withPace(Pace other) {
            return new Options(judge, grain, seed, other, budget, threads, warnings);
        }

        /** The same with another grain. */
        public Options withGrain(Grain other) {
            return new Options(judge, Optional.of(other), seed, pace, budget, threads, warnings);
        }

        /** The same with another seed. */
        public Options withSeed(long other) {
            return new Options(judge, grain, Optional.of(other), pace, budget, threads, warnings);
        }

        /** The same with warnings. */
        public Options withWarnings(Warnings receiver) {
            return new Options(judge, grain, seed, pace, budget, threads, receiver);
        }
    }

    /** Receives warnings. */
    @FunctionalInterface
    public interface Warnings {
        /** Receives one. */
        void add(String message);
    }

    private DurableAdviser(
            Path folder,
            FolderLock folderLock,
            Ledger ledger,
            AdviserStore store,
            Workers workers,
            Options options,
            Books books) {
        this.folder = folder;
        this.folderLock = folderLock;
        this.ledger = ledger;
        this.store = store;
        this.workers = workers;
        this.options = options;
        this.books = books;
        this.scoring = new Scoring(books);
        this.asking = new Asking(books, scoring, options.pace(), options.judge());
        this.commits = new GroupCommit<>(answers -> ledger.handOuts().answer(answers, Books.ELSEWHERE));
    }

    /**
     * Opens the adviser in a folder, and creates it if there is none.
     *
     * @throws FolderTaken if another process has the folder
     * @throws UserException if files cannot be read or written, or the adviser has another seed or grain
     */
    public static DurableAdviser open(Path folder, Options options) {
        Asking.requireJudge(options.judge());
        FolderLock folderLock = FolderLock.tryLock(folder).orElseThrow(() -> new FolderTaken(folder));
        List<AutoCloseable> opened = new ArrayList<>(List.of(folderLock));
        try {
            Ledger ledger = Ledger.open(folder.resolve(Ledger.FILE).toString(), LEASE);
            opened.add(ledger);
            AdviserStore store = AdviserStore.open(folder.resolve(FILE));
            opened.add(store);
            Identity identity = identity(store, folder, options);
            Workers workers = new Workers(options.threads());
            opened.add(workers);
            Models models = new Models(
                    store,
                    new ModelCheckpoints(folder.resolve("checkpoint")),
                    identity,
                    workers,
                    options.warnings()::add);
            store.setBudget(options.budget());
            Spending spending = Spending.of(options.budget(), ledger, identity.run());
            Books books = new Books(store, ledger.handOuts(), models, identity, spending);
            DurableAdviser adviser = new DurableAdviser(folder, folderLock, ledger, store, workers, options, books);
            adviser.scoring.recover();
            return adviser;
        } catch (RuntimeException | Error e) {
            opened.reversed().forEach(DurableAdviser::closeQuietly);
            throw e;
        }
    }

    private static Identity identity(AdviserStore store, Path folder, Options options) {
        Path name = folder.toAbsolutePath().normalize().getFileName();
        String id = UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        Identity wanted = new Identity(
                RunName.of(name == null ? "adviser" : name.toString(), id),
                options.grain().orElse(Grain.EPISODE),
                options.seed().orElse(1L));
        Identity found = store.identity(wanted);
        if (options.grain().isPresent() && found.grain() != wanted.grain()) {
            throw new UserException("the adviser in " + folder + " takes "
                    + (found.grain() == Grain.STEP ? "a score for each step" : "one score for an item")
                    + "; leave the option out, or use another folder");
        }
        if (options.seed().isPresent() && found.seed() != wanted.seed()) {
            throw new UserException("the adviser in " + folder + " has the seed " + found.seed()
                    + "; leave the option out, or use another folder");
        }
        return found;
    }

    /**
     * Asks which items to score. If the same items were asked for before and scores are missing, it is the same round again, and those
     * that are missing are handed out once more. A question with the name of an earlier one has the answer of that one, and hands out
     * only what that one could not; see {@link Question}.
     *
     * @throws AdviceRefused if the question makes no sense, contradicts what is known, or the budget is spent
     */
    public Advice ask(Question question) {
        return locked(() -> asking.ask(question, 0));
    }

    /** A round as it is; nothing is handed out. */
    public Advice round(int number) {
        return locked(() -> asking.describe(number));
    }

    /**
     * All rounds, oldest first.
     *
     * @param after only those with a higher number
     */
    public List<RoundSummary> rounds(int after) {
        return locked(() -> store.roundsAfter(after, MOST_LISTED).stream()
                .filter(round -> round.number() <= books.lastRound())
                .map(RoundSummary::of)
                .toList());
    }

    /**
     * Tells scores of a round, all or some, once or repeatedly.
     *
     * @param number the round
     * @param scores by the identifiers of items
     * @param withEstimates whether the estimates are wanted while scores are missing; they take time
     * @throws AdviceRefused if an item was not asked for, or a score makes no sense or contradicts another; nothing is recorded then
     */
    public Report tell(int number, Map<String, Score> scores, boolean withEstimates) {
        OpenRound round = locked(() -> books.described(number));
        return tell(round, scores, withEstimates);
    }

    /**
     * Tells scores of a round in the order of its choice.
     *
     * @param scores one for each item that was chosen; empty where it is still missing
     */
    public Report tell(int number, List<Optional<Score>> scores, boolean withEstimates) {
        OpenRound round = locked(() -> books.described(number));
        int[] chosen = round.round().chosen();
        if (scores.size() != chosen.length) {
            throw AdviceRefused.invalid(
                    "round " + number + " asks for " + chosen.length + " scores, got " + scores.size()
                            + "; give one for each of its indices, in their order, and null where it is missing");
        }
        Map<String, Score> named = new LinkedHashMap<>();
        for (int i = 0; i < chosen.length; i++) {
            String id = round.id(chosen[i]);
            scores.get(i).ifPresent(score -> named.put(id, score));
        }
        return tell(round, named, withEstimates);
    }

    private Report tell(OpenRound round, Map<String, Score> scores, boolean withEstimates) {
        List<Answered> answers = answers(round, scores);
        List<Double> prices = answers.isEmpty()
                ? List.of()
                // outside of the lock, so that many can be written together
                : Asking.requireRecorded(commits.submit(answers), round.stored(), answers);
        int number = round.round().number();
        return locked(() -> {
            books.spending().answered(prices);
            books.cleanUp();
            scoring.recorded(number, answers);
            return scoring.report(number, withEstimates || books.open(number).isEmpty());
        });
    }

    private List<Answered> answers(OpenRound round, Map<String, Score> scores) {
        Round asked = round.round();
        Map<String, Integer> places = new LinkedHashMap<>();
        Arrays.stream(asked.chosen()).forEach(place -> places.put(round.id(place), place));
        Arrays.stream(asked.abandoned()).forEach(place -> places.put(round.id(place), place));
        List<Answered> answers = new ArrayList<>();
        scores.forEach((id, score) -> {
            Integer place = places.get(id);
            if (place == null) {
                throw AdviceRefused.invalid("'" + Excerpt.brief(id) + "' was not asked for in round " + asked.number());
            }
            int steps = round.stored().items().length(place);
            Score priced = score.withCostUnlessKnown(options.budget().costOfOne());
            answers.add(new Answered(round.evaluation(place), priced.reply(id, books.grain(), steps)));
        });
        return answers;
    }

    /** What is believed about the items of a round: final, or provisional while scores are missing. */
    public Report estimates(int number) {
        return locked(() -> {
            books.cleanUp();
            books.open(number).ifPresent(scoring::closeIfComplete);
            return scoring.report(number, true);
        });
    }

    /**
     * Gives up items that will not be scored. The choice is solved again without them, and the round is closed if nothing is missing
     * any more. A score that comes nevertheless is recorded and learned from.
     *
     * @param free whether handing them out does not count
     * @param replace whether other items are chosen in their place, within the budget
     */
    public Advice abandon(int number, Collection<String> ids, boolean free, boolean replace) {
        return locked(() -> asking.abandon(number, ids.stream().distinct().toList(), free, replace));
    }

    /**
     * Asks for the scored items of a round once more, for another judge, whose scores and model are apart from those of others.
     *
     * @param pace how many of them; empty for all
     * @param request a name that no other question has; see {@link Question}
     */
    public Advice rescore(int number, String judge, Optional<Pace> pace, Optional<String> request) {
        return locked(() -> asking.rescore(number, judge, pace, request));
    }

    /** The folder with its files. */
    public Path folder() {
        return folder;
    }

    /** The state of the adviser. */
    public Status status() {
        return locked(() -> new Status(
                books.identity(),
                options.judge(),
                books.width(),
                books.lastRound(),
                books.openNumbers(),
                store.lastLesson(),
                books.spending().calls(),
                books.spending().left(),
                books.spending().cost(),
                options.budget()));
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Saves what was learned, ends all claims, and closes the files. Calls under way are in doubt from then on. */
    @Override
    public void close() {
        locked(() -> {
            books.models().save();
            workers.close();
            try {
                store.close();
            } finally {
                try {
                    ledger.close();
                } finally {
                    closeQuietly(folderLock);
                }
            }
            return true;
        });
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw FileErrors.writing(Path.of(FolderLock.FILE), e);
        } catch (Exception e) {
            // another error is reported
        }
    }
}
