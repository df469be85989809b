package dev.pgkq.rewards.advise;

import dev.pgkq.advise.AdviserSettings;
import dev.pgkq.advise.Ask;
import dev.pgkq.advise.Choice;
import dev.pgkq.advise.Items;
import dev.pgkq.advise.Told;
import dev.pgkq.rewards.ledger.Claim;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.HandOuts.Answered;
import dev.pgkq.rewards.ledger.HandOuts.Outcome;
import dev.pgkq.rewards.ledger.HandOuts.Standing;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.select.Pace;
import dev.pgkq.text.Excerpt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Makes rounds, hands their items out, and changes what a round asks for. */
final class Asking {
    private static final int[] NONE = {};
    private static final int LONGEST_NAME = 200;

    private final Books books;
    private final Scoring scoring;
    private final Pace usualPace;
    private final String usualJudge;

    Asking(Books books, Scoring scoring, Pace usualPace, String usualJudge) {
        this.books = books;
        this.scoring = scoring;
        this.usualPace = usualPace;
        this.usualJudge = usualJudge;
    }

    /** What is known of the items of a new round. */
    private record Known(Map<Integer, double[]> owned, int[] busy, int free) {}

    /** @param source the round whose items are scored once more, or 0 */
    Advice ask(Question question, int source) {
        books.cleanUp();
        Items items = question.items();
        String judge = question.judge().orElse(usualJudge);
        requireJudge(judge);
        requireWidth(items);
        boolean named = !question.ids().isEmpty();
        if (named) {
            ItemNames.require(question.ids(), items);
        }
        StoredItems stored = new StoredItems(items, named ? question.ids() : ItemNames.ofContents(items), named);
        String hash = ItemNames.hash(judge, items, question.ids());
        Optional<Request> answered = answered(question.request());
        if (answered.isPresent()) {
            return repeat(
                    answered.get(),
                    round -> round.hash().equals(hash) && question.round().orElse(round.number()) == round.number());
        }
        Optional<OpenRound> before = before(question, hash);
        int number = before.map(known -> known.round().number()).orElse(books.lastRound() + 1);
        Draft draft = new Draft(books.identity().run(), number, judge, source, hash, stored);
        attach(draft, question.owned());
        // known scores may have closed it
        return before.isPresent()
                ? resume(books.described(number), question.request())
                : begin(draft, question.pace().orElse(usualPace), question.request());
    }

    /** What is known of a question that was answered before. */
    private Optional<Request> answered(Optional<String> request) {
        request.ifPresent(name -> requireName("the name of a request", name));
        return request.flatMap(books.store()::request);
    }

    /**
     * The answer of a question once more. Only what could not be handed out the first time is handed out.
     *
     * @param fits whether a round can be the answer to this question
     */
    private Advice repeat(Request request, Predicate<Round> fits) {
        OpenRound known = books.described(request.round());
        if (!fits.test(known.round())) {
            throw AdviceRefused.conflict(
                    "the request '" + Excerpt.brief(request.name()) + "' was another question, which" + " round "
                            + request.round() + " answered; give every question a name of its own");
        }
        if (known.round().open()) {
            refresh(known);
            handOutRest(known);
        }
        return describe(known, request.resumed());
    }

    /** The round that this question was already: the one of its number, or else an open one about the same items. */
    private Optional<OpenRound> before(Question question, String hash) {
        if (question.round().isEmpty()) {
            return books.open().stream()
                    .filter(open -> open.round().hash().equals(hash))
                    .findFirst();
        }
        int number = question.round().get();
        if (number == books.lastRound() + 1) {
            return Optional.empty();
        }
        if (number > books.lastRound()) {
            throw AdviceRefused.invalid("the next round is " + (books.lastRound() + 1) + ", not " + number
                    + "; leave the number out, or give that of a round that was asked for");
        }
        OpenRound known = books.described(number);
        if (!known.round().hash().equals(hash)) {
            throw AdviceRefused.conflict("round " + number + " was about other items, or for another judge; the next"
                    + " round is " + (books.lastRound() + 1));
        }
        return Optional.of(known);
    }

    static void requireJudge(String judge) {
        requireName("the name of a judge", judge);
    }

    private static void requireName(String what, String name) {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw AdviceRefused.invalid(
                    what + " must have 1 to " + LONGEST_NAME + " characters, got '" + Excerpt.brief(name) + "'");
        }
    }

    private void requireWidth(Items items) {
        int width = books.width();
        if (width != 0 && width != items.width()) {
            throw AdviceRefused.invalid(
                    "the items have " + items.width() + " features, but those of earlier rounds had " + width
                            + "; use the same features, or another folder");
        }
    }

    /** Records scores that the caller has already. */
    private void attach(Draft draft, Map<String, Score> owned) {
        if (owned.isEmpty()) {
            return;
        }
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int place = 0; place < draft.stored().ids().size(); place++) {
            places.put(draft.id(place), place);
        }
        List<Answered> answers = new ArrayList<>();
        owned.forEach((id, score) -> {
            Integer place = places.get(id);
            if (place == null) {
                throw AdviceRefused.invalid(
                        "the owned score of '" + Excerpt.brief(id) + "' belongs to no item of this round");
            }
            int steps = draft.stored().items().length(place);
            EvaluationId evaluation = draft.evaluation(place);
            Score priced = books.asking(evaluation.key()).isPresent()
                    ? score.withCostUnlessKnown(books.spending().costOfOne())
                    : score;
            answers.add(new Answered(evaluation, priced.reply(id, books.grain(), steps)));
        });
        Outcome outcome =
                books.ledger().answer(List.of(answers), Books.ELSEWHERE).getFirst();
        books.spending().answered(requireRecorded(outcome, draft.stored(), answers));
        List<Answered> awaited = answers.stream()
                .filter(answered -> books.asking(answered.id().key()).isPresent())
                .toList();
        if (!awaited.isEmpty()) {
            scoring.recorded(draft.number(), awaited);
        }
    }

    /** @return what the calls cost whose answers these are */
    static List<Double> requireRecorded(Outcome outcome, StoredItems items, List<Answered> answers) {
        return switch (outcome) {
            case Outcome.Recorded recorded -> recorded.prices();
            case Outcome.Conflict conflict -> {
                String id = answers.stream()
                        .filter(answered -> answered.id().key().equals(conflict.key()))
                        .map(answered -> items.ids().get(answered.id().episode()))
                        .findFirst()
                        .orElse("");
                throw AdviceRefused.conflict("the score of '" + Excerpt.brief(id) + "' is recorded as "
                        + Arrays.toString(conflict.counts().values())
                        + ", and the first one counts; nothing was changed");
            }
        };
    }

    private Known known(Draft draft) {
        List<LedgerKey> keys =
                IntStream.range(0, draft.size()).mapToObj(draft::key).toList();
        Map<LedgerKey, Standing> standing = books.ledger().standing(keys);
        Map<Integer, double[]> owned = new LinkedHashMap<>();
        List<Integer> busy = new ArrayList<>();
        for (int place = 0; place < keys.size(); place++) {
            Optional<double[]> values = Optional.ofNullable(standing.get(keys.get(place)))
                    .flatMap(Standing::answer)
                    .map(reply -> reply.values());
            if (values.isPresent()) {
                owned.put(place, values.get());
            } else if (books.asking(keys.get(place)).isPresent()) {
                busy.add(place);
            }
        }
        return new Known(owned, ints(busy), keys.size() - owned.size() - busy.size());
    }

    private Advice begin(Draft draft, Pace wanted, Optional<String> request) {
        Known known = known(draft);
        Pace pace = within(wanted, known.free());
        String judge = draft.judge();
        int number = draft.number();
        Items items = draft.stored().items();
        Optional<AdviserStore.Learned> lesson = lesson(draft, known.owned());
        boolean stored = false;
        List<Claim> claims;
        OpenRound open;
        try {
            lesson.ifPresent(learned ->
                    books.models().learn(judge, items, learned.lesson().scores()));
            int[] owned = ints(known.owned().keySet());
            Choice choice = books.models().ask(judge, items, new Ask(pace, number, owned, NONE, known.busy()));
            Round round = draft.round(choice, owned);
            open = new OpenRound(draft.run(), round, draft.stored());
            books.store().insert(round, draft.stored(), lesson, request.map(name -> new Request(name, number, false)));
            stored = true;
            claims = handOut(open, ints(round.chosen()));
        } catch (RuntimeException | Error e) {
            books.models().discard(judge);
            if (stored) {
                books.forget(number);
            }
            throw e;
        }
        lesson.ifPresent(
                learned -> books.models().learned(judge, learned.lesson().number()));
        books.addOpen(open);
        return handedOut(open, ints(open.round().chosen()), claims, false);
    }

    /** Known scores that the model has not learned yet. */
    private Optional<AdviserStore.Learned> lesson(Draft draft, Map<Integer, double[]> owned) {
        Map<LedgerKey, Told> fresh = new LinkedHashMap<>();
        owned.forEach((place, values) -> fresh.put(draft.key(place), new Told(place, values)));
        fresh.keySet().removeAll(books.store().learned(fresh.keySet()));
        if (fresh.isEmpty()) {
            return Optional.empty();
        }
        Lesson lesson = new Lesson(
                books.store().lastLesson() + 1, draft.judge(), draft.number(), false, List.copyOf(fresh.values()));
        return Optional.of(new AdviserStore.Learned(lesson, Set.copyOf(fresh.keySet())));
    }

    /**
     * The pace within the budget and the number of items that can be chosen.
     *
     * @throws AdviceRefused if the budget allows none of those that are wanted
     */
    private Pace within(Pace wanted, int free) {
        if (free == 0 || wanted.most() == 0) {
            return AdviserSettings.auto(0);
        }
        if (books.spending().left() == 0) {
            throw spent("select 0 for estimates alone, or raise the budget");
        }
        return wanted.atMost((int) Math.min(free, books.spending().left()));
    }

    private AdviceRefused spent(String advice) {
        return AdviceRefused.budget("the budget is spent: " + books.spending().words() + "; " + advice);
    }

    private List<Claim> handOut(OpenRound open, List<Integer> places) {
        List<Claim> claims = places.isEmpty()
                ? List.of()
                : books.ledger().handOut(places.stream().map(open::evaluation).toList());
        books.spending()
                .called(claims.stream().filter(Claim.Mine.class::isInstance).count());
        return claims;
    }

    /** The answer, after the items at these places were handed out. */
    private Advice handedOut(OpenRound open, List<Integer> places, List<Claim> claims, boolean resumed) {
        List<Integer> inDoubt = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            switch (claims.get(i)) {
                case Claim.Done done ->
                    open.add(open.key(places.get(i)), done.answer().values());
                case Claim.Mine mine -> {
                    if (mine.inDoubt() > 0) {
                        inDoubt.add(places.get(i));
                    }
                }
                default -> {}
            }
        }
        Advice advice = describe(open, resumed, inDoubt);
        scoring.closeIfComplete(open);
        return advice;
    }

    /** Hands the missing items of a round out once more; if it is closed, there are none. */
    private Advice resume(OpenRound open, Optional<String> request) {
        if (!open.round().open()) {
            return describe(open, true, List.of());
        }
        refresh(open);
        List<Integer> missing = withinBudget(open, open.missing());
        List<Claim> claims = handOut(open, missing);
        // without its request, because of a death or a full disk, this is counted and declared when it is repeated
        request.ifPresent(
                name -> books.store().add(new Request(name, open.round().number(), true)));
        return handedOut(open, missing, claims, true);
    }

    /** Takes scores from the ledger that were recorded without anything following from it. */
    private void refresh(OpenRound open) {
        open.addAll(books.ledger().standing(open.keys()));
    }

    /** A round as it is, without handing anything out. */
    Advice describe(int number) {
        return describe(books.described(number), false);
    }

    private Advice describe(OpenRound round, boolean resumed) {
        List<Integer> missing = round.round().open() ? round.missing() : List.of();
        Map<LedgerKey, Standing> standing =
                books.ledger().standing(missing.stream().map(round::key).toList());
        List<Integer> inDoubt = missing.stream()
                .filter(place -> Optional.ofNullable(standing.get(round.key(place)))
                                .map(Standing::inDoubt)
                                .orElse(0)
                        > 0)
                .toList();
        return describe(round, resumed, inDoubt);
    }

    private Advice describe(OpenRound open, boolean resumed, List<Integer> inDoubt) {
        Round round = open.round();
        List<Integer> missing = round.open() ? open.missing() : List.of();
        Map<String, double[]> owned = new LinkedHashMap<>();
        List<LedgerKey> keys = Arrays.stream(round.owned()).mapToObj(open::key).toList();
        Map<LedgerKey, Standing> standing =
                keys.isEmpty() ? Map.of() : books.ledger().standing(keys);
        for (int place : round.owned()) {
            Optional.ofNullable(standing.get(open.key(place)))
                    .flatMap(Standing::answer)
                    .ifPresent(reply -> owned.put(open.id(place), reply.values()));
        }
        return new Advice(
                round.number(),
                round.judge(),
                round.source(),
                round.size(),
                round.chosen(),
                open.ids(round.chosen()),
                round.picked().weights(),
                open.ids(missing),
                open.ids(round.abandoned()),
                !missing.isEmpty(),
                resumed,
                open.ids(inDoubt),
                owned,
                round.picked().errorBefore(),
                round.picked().expectedError(),
                round.picked().randomError(),
                books.spending().calls(),
                books.spending().left());
    }

    /**
     * Gives up items of an open round, and solves its choice again without them.
     *
     * @param free whether their calls do not count
     * @param replace whether other items are chosen in their place, within the budget
     */
    Advice abandon(int number, List<String> ids, boolean free, boolean replace) {
        books.cleanUp();
        OpenRound open = books.described(number);
        if (!open.round().open()) {
            // perhaps closed by this very call, whose answer was lost
            if (open.ids(open.round().abandoned()).containsAll(ids)) {
                return describe(open, false);
            }
            throw AdviceRefused.conflict("round " + number + " has all its scores; there is nothing to abandon");
        }
        refresh(open);
        List<Integer> places = toAbandon(open, ids);
        // also what an earlier call has chosen and could not hand out
        int kept = withinBudget(open, rest(open, places)).size();
        if (!places.isEmpty()) {
            giveUp(open, places, free, replace, kept);
        }
        return handOutRest(open);
    }

    private Advice handOutRest(OpenRound open) {
        List<Integer> rest = withinBudget(open, rest(open, List.of()));
        return handedOut(open, rest, handOut(open, rest), false);
    }

    /** Those of the missing items, without some, that nobody was asked to score, or that were given up since. */
    private List<Integer> rest(OpenRound open, List<Integer> without) {
        List<Integer> missing = open.missing().stream()
                .filter(place -> !without.contains(place))
                .toList();
        Map<LedgerKey, Standing> standing =
                books.ledger().standing(missing.stream().map(open::key).toList());
        return missing.stream()
                .filter(place -> Optional.ofNullable(standing.get(open.key(place)))
                        .map(Standing::state)
                        .filter(state -> state == State.RUNNING)
                        .isEmpty())
                .toList();
    }

    /** @throws AdviceRefused if the budget does not allow these items of a round to be handed out */
    private List<Integer> withinBudget(OpenRound open, List<Integer> places) {
        if (places.size() > books.spending().left()) {
            throw spent("round " + open.round().number() + " misses " + places.size()
                    + ", and handing them out counts; tell the scores that exist, abandon the others, or raise the"
                    + " budget");
        }
        return places;
    }

    private static List<Integer> toAbandon(OpenRound open, List<String> ids) {
        Map<String, Integer> chosen = new LinkedHashMap<>();
        Arrays.stream(open.round().chosen()).forEach(place -> chosen.put(open.id(place), place));
        List<String> abandoned = open.ids(open.round().abandoned());
        List<Integer> places = new ArrayList<>();
        for (String id : ids) {
            Integer place = chosen.get(id);
            if (place != null && open.isScored(place)) {
                throw AdviceRefused.conflict("'" + Excerpt.brief(id) + "' has a score already");
            }
            if (place != null) {
                places.add(place);
            } else if (!abandoned.contains(id)) {
                throw AdviceRefused.invalid("'" + Excerpt.brief(id) + "' was not asked for in round "
                        + open.round().number());
            }
        }
        return places;
    }

    /**
     * The ledger first: it is safe to repeat, and then frees nothing a second time.
     *
     * @param rest how many others are to be handed out
     */
    private void giveUp(OpenRound open, List<Integer> places, boolean free, boolean replace, int rest) {
        Round round = open.round();
        books.spending()
                .called(-books.ledger()
                        .giveUp(places.stream().map(open::key).toList(), "abandoned in round " + round.number(), free));
        int[] kept = Arrays.stream(round.chosen())
                .filter(place -> !places.contains(place))
                .toArray();
        int[] excluded = IntStream.concat(
                        IntStream.concat(
                                Arrays.stream(round.abandoned()),
                                places.stream().mapToInt(place -> place)),
                        IntStream.range(0, round.size())
                                .filter(place -> books.asking(open.key(place))
                                        .filter(other -> other != open)
                                        .isPresent()))
                .distinct()
                .toArray();
        long more = replace ? Math.min(places.size(), books.spending().left() - rest) : 0;
        int most = round.size() - round.owned().length - excluded.length;
        int count = (int) Math.min(most, kept.length + more);
        Pace pace = count == 0 ? AdviserSettings.auto(0) : new Pace.Fixed(count);
        Choice choice = books.models()
                .ask(
                        round.judge(),
                        open.stored().items(),
                        new Ask(pace, round.number(), round.owned(), kept, excluded));
        Round changed = round.with(choice, ints(places));
        books.store().update(changed);
        books.replace(open, changed);
    }

    /** Asks for the scored items of a round once more, for another judge. */
    Advice rescore(int number, String judge, Optional<Pace> pace, Optional<String> request) {
        books.cleanUp();
        Optional<Request> answered = answered(request);
        if (answered.isPresent()) {
            // meanwhile more items may have scores; a round that was resumed may have another source
            boolean resumed = answered.get().resumed();
            return repeat(
                    answered.get(),
                    again -> (resumed || again.source() == number)
                            && again.judge().equals(judge));
        }
        OpenRound round = books.described(number);
        if (round.round().judge().equals(judge)) {
            throw AdviceRefused.invalid(
                    "round " + number + " was scored by '" + Excerpt.brief(judge) + "' already; name another judge");
        }
        List<LedgerKey> keys =
                Arrays.stream(round.round().chosen()).mapToObj(round::key).toList();
        Map<LedgerKey, Standing> standing = books.ledger().standing(keys);
        int[] scored = Arrays.stream(round.round().chosen())
                .filter(place -> Optional.ofNullable(standing.get(round.key(place)))
                        .flatMap(Standing::answer)
                        .isPresent())
                .sorted()
                .toArray();
        if (scored.length == 0) {
            throw AdviceRefused.conflict("no item of round " + number + " has a score yet");
        }
        Question question = new Question(
                subset(round.stored().items(), scored),
                round.ids(scored),
                Optional.of(pace.orElse(new Pace.Fixed(scored.length))),
                Optional.of(judge),
                Map.of(),
                Optional.empty(),
                request);
        return ask(question, number);
    }

    private static Items subset(Items items, int[] places) {
        int[] starts = new int[places.length + 1];
        for (int i = 0; i < places.length; i++) {
            starts[i + 1] = starts[i] + items.length(places[i]);
        }
        return new Items(
                starts,
                rows(items, places, items.features(), items.width()),
                items.width(),
                rows(items, places, items.projections(), items.projectionWidth()),
                items.projectionWidth());
    }

    private static float[] rows(Items items, int[] places, float[] values, int width) {
        int steps = Arrays.stream(places).map(items::length).sum();
        float[] rows = new float[steps * width];
        int at = 0;
        for (int place : places) {
            int count = items.length(place) * width;
            System.arraycopy(values, items.starts()[place] * width, rows, at, count);
            at += count;
        }
        return rows;
    }

    private static int[] ints(Iterable<Integer> values) {
        List<Integer> list = new ArrayList<>();
        values.forEach(list::add);
        return list.stream().mapToInt(value -> value).toArray();
    }

    private static List<Integer> ints(int[] values) {
        return Arrays.stream(values).boxed().toList();
    }
}
