// @ts-check
/** The page of an adviser: its rounds, what was chosen, and what is believed of all items. */
import { get } from "./api.js";
import { LineChart, ScatterChart, legend } from "./chart.js";
import { byId, choice, element } from "./dom.js";
import { ago, counted, number, percent } from "./format.js";
import { ItemMap, shortId } from "./items.js";
import { pill, showError } from "./parts.js";
import { explainTerms } from "./terms.js";

/**
 * @typedef {{round: number, judge: string, source: number | null, open: boolean, asked: string, size: number, chosen: number,
 *     abandoned: number, owned: number, error_before: number | null, expected_error: number | null,
 *     random_error: number | null}} Summary
 * @typedef {{id: string, name: string, state: string, per: string, seed: number, round: number, open: number, judges: string[],
 *     calls: number, answers: number, maxEvaluations: number | null, cost: number, maxCost: number | null, updated: number,
 *     version: string, rounds: Summary[]}} Adviser
 *     calls: how often items were handed out; answers: how many of these calls have a score
 * @typedef {import("./items.js").Round} Round
 */

const POLL_MILLISECONDS = 2000;
const MOST_LISTED = 200;
const CACHED = 50;

/** @type {[import("./map.js").ColourBy, string][]} */
const COLOURS = [["mean", "Estimate"], ["deviation", "Uncertainty"], ["predicted", "Predicted"], ["return", "Score"]];

/** @type {[string, (round: Summary) => string | number | null, boolean][]} */
const COLUMNS = [
    ["Judge", (round) => round.judge, false],
    ["Asked", (round) => ago(round.asked), false],
    ["State", (round) => (round.open ? "open" : "complete"), false],
    ["Items", (round) => round.size, true],
    ["Chosen", (round) => round.chosen, true],
    ["Known before", (round) => round.owned, true],
    ["Abandoned", (round) => round.abandoned, true],
    ["Error before", (round) => round.error_before, true],
    ["With scores", (round) => round.expected_error, true],
    ["With random ones", (round) => round.random_error, true],
];

class AdviserPage {
    /** @param {string} id */
    constructor(id) {
        this.id = id;
        this.base = `/api/advisers/${encodeURIComponent(id)}`;
        /** @type {Adviser | null} */
        this.adviser = null;
        /** The version that is on the page. */
        this.drawn = "";
        /** @type {Map<number, Promise<Round>>} */
        this.rounds = new Map();
        this.shown = 0;
        this.follow = true;
        /** @type {import("./map.js").ColourBy} */
        this.by = "mean";
        this.selected = -1;
        explainTerms();
        this.map = new ItemMap(byId("map"), { pick: (item) => this.select(item), legend: byId("ramp") });
        const goTo = (/** @type {number} */ round) => this.go(round);
        this.errors = new LineChart(byId("errors"), { height: 270, pick: goTo,
            label: "Expected error of an estimate without scores, with those of the chosen items, and with as many random ones, by round",
            emptyText: "No error can be forecast before the second score" });
        this.predicted = new ScatterChart(byId("predicted"), { height: 215, label: "Scores predicted by the model against scores",
            diagonal: true, emptyText: "Nothing is known about scores yet", pick: ({ id: of }) => of && this.select(of.episode) });
        this.colour = choice("Colour of the items", COLOURS, this.by, (value) => {
            this.by = value;
            this.show(this.shown).catch(showError);
        });
        byId("colour").append(this.colour.element);
        byId("close-up").addEventListener("change", () => {
            this.map.closeUp = byId("close-up").checked;
            this.map.redraw();
        });
        this.slider = byId("round");
        this.slider.addEventListener("input", () => this.go(this.adviser?.rounds[Number(this.slider.value)]?.round ?? this.shown));
        byId("follow").addEventListener("change", () => {
            this.setFollow(byId("follow").checked);
            this.showNewest();
        });
        byId("rounds-head").append(element("tr", {}, element("th", { scope: "col" }, "Round"),
            ...COLUMNS.map(([name, , isNumber]) => element("th", { scope: "col", class: isNumber ? "number" : null }, name))));
    }

    /** Reads now, and again some time after each reading has ended. */
    async open() {
        if (document.visibilityState === "visible" || !this.adviser) {
            try {
                await this.read();
                showError(null);
            } catch (error) {
                this.showLink("reconnecting");
                showError(error);
            }
        }
        window.setTimeout(() => this.open(), POLL_MILLISECONDS);
    }

    /** Reads the adviser, and what has changed. */
    async read() {
        /** @type {Adviser} */
        const now = await get(this.base);
        const changed = now.version !== this.drawn;
        this.adviser = now;
        byId("main").hidden = false;
        this.showLink("live");
        this.drawHeader(now);
        if (changed) {
            // an older round can change, too: by a score that comes late
            this.rounds.clear();
            this.drawRounds(now);
            await (this.follow ? this.showNewest() : this.show(this.shown));
            this.drawn = now.version;
        }
    }

    /** @param {"live" | "reconnecting"} state */
    showLink(state) {
        const status = byId("link");
        status.dataset.link = state;
        status.textContent = state === "live" ? "live" : "reconnecting…";
    }

    /** @param {Adviser} adviser */
    drawHeader(adviser) {
        document.title = `${adviser.name} – pgkq`;
        byId("name").textContent = adviser.name;
        byId("state").replaceChildren(pill(adviser.state));
        byId("summary").textContent = [
            "adviser",
            adviser.judges.length === 0 ? null : `scored by ${adviser.judges.join(", ")}`,
            adviser.per === "step" ? "a score for each step" : "a score for an item",
            `seed ${adviser.seed}`,
        ].filter((word) => word).join(" · ");
        fact("fact-rounds", number(adviser.round), adviser.open > 0 ? `${number(adviser.open)} open` : "");
        limited("fact-calls", adviser.calls, adviser.maxEvaluations, "evaluations handed out");
        fact("fact-answers", number(adviser.answers), adviser.calls > adviser.answers ? `${number(adviser.calls - adviser.answers)} without a score` : "");
        byId("fact-cost-part").hidden = adviser.cost === 0 && adviser.maxCost === null;
        limited("fact-cost", adviser.cost, adviser.maxCost, "cost");
        const none = adviser.rounds.length === 0;
        byId("empty").hidden = !none;
        for (const panel of ["round-panel", "errors-panel", "rounds-panel"]) {
            byId(panel).hidden = none;
        }
    }

    /** @param {Adviser} adviser */
    drawRounds(adviser) {
        const listed = adviser.rounds.slice(-MOST_LISTED).reverse();
        byId("rounds").replaceChildren(...listed.map((round) => element("tr", { "data-round": round.round },
            element("th", { scope: "row" },
                element("button", { type: "button", class: "inline", click: () => this.go(round.round) }, `Round ${number(round.round)}`),
                round.source === null ? "" : element("small", {}, ` again, of round ${number(round.source)}`)),
            ...COLUMNS.map(([, of, isNumber]) => {
                const value = of(round);
                return element("td", { class: isNumber ? "number" : null }, typeof value === "string" ? value : number(value));
            }))));
        byId("rounds-note").textContent = adviser.round > listed.length ? `The newest ${number(listed.length)} of ${counted(adviser.round, "round")}.` : "";
        this.slider.max = String(Math.max(0, adviser.rounds.length - 1));
        this.slider.disabled = adviser.rounds.length < 2;
    }

    /** @param {boolean} follow */
    setFollow(follow) {
        this.follow = follow;
        byId("follow").checked = follow;
    }

    /**
     * Goes to a round that somebody selected.
     *
     * @param {number} round
     */
    go(round) {
        this.setFollow(this.follow && round === this.adviser?.rounds.at(-1)?.round);
        this.show(round).catch(showError);
    }

    async showNewest() {
        const newest = this.adviser?.rounds.at(-1);
        if (newest) {
            await this.show(newest.round);
        }
    }

    /** @param {number} round */
    roundOf(round) {
        let known = this.rounds.get(round);
        if (!known) {
            known = get(`${this.base}/rounds/${round}`);
            known.catch(() => this.rounds.delete(round));
            this.rounds.set(round, known);
            if (this.rounds.size > CACHED) {
                this.rounds.delete([...this.rounds.keys()][0]);
            }
        }
        return known;
    }

    /** @param {number} round */
    async show(round) {
        if (round !== this.shown) {
            this.selected = -1;
        }
        this.shown = round;
        const all = this.adviser?.rounds ?? [];
        this.slider.value = String(all.findIndex((each) => each.round === round));
        this.slider.setAttribute("aria-valuetext", `round ${round}`);
        const data = await this.roundOf(round);
        if (this.shown !== round) {
            return;
        }
        byId("shown-round").textContent = `Round ${round}${data.open ? ", scores missing" : ""}`;
        /** @type {[import("./map.js").ColourBy, boolean][]} */
        const colours = [["mean", data.mean !== null], ["deviation", data.deviation?.some((value) => value !== null) ?? false],
            ["predicted", data.predicted !== null], ["return", true]];
        const known = colours.filter(([, is]) => is).map(([by]) => by);
        const by = known.includes(this.by) ? this.by : known[0];
        this.colour.allow(known);
        this.colour.choose(by);
        this.map.update(data, by);
        this.map.mark(this.selected);
        byId("map-help").hidden = !data.map;
        byId("abandoned-legend").hidden = data.abandoned.length === 0;
        byId("map-summary").replaceChildren(...summary(data));
        this.drawItems(data);
        this.drawPredicted(data);
        this.drawErrors(data.judge, round);
        for (const row of byId("rounds").children) {
            row.classList.toggle("shown", row.dataset.round === String(round));
        }
    }

    /** @param {Round} data */
    drawItems(data) {
        const row = (/** @type {number} */ item, /** @type {number | null} */ weight, /** @type {string} */ instead) =>
            element("tr", { "data-item": item, class: weight === null ? "gone" : null },
                element("th", { scope: "row" }, element("button", { type: "button", class: "inline", title: data.ids[item], click: () => this.select(item) }, shortId(data.ids[item]))),
                element("td", { class: "number" }, weight === null ? "–" : percent(weight)),
                element("td", { class: "number" }, number(data.predicted?.[item])),
                element("td", { class: "number" }, data.scores[item] === null ? instead : number(data.scores[item])),
                element("td", { class: "number" }, number(data.mean?.[item])));
        byId("items").replaceChildren(
            ...data.chosen.map((item, i) => row(item, data.weights[i], "missing")),
            ...data.abandoned.map((item) => row(item, null, "abandoned")));
        byId("items-note").textContent = data.chosen.length === 0 && data.abandoned.length === 0
            ? "No item was chosen: what is known suffices, or none was wanted." : "";
        this.markRow();
    }

    /** @param {Round} data */
    drawPredicted(data) {
        const dots = data.chosen.flatMap((item) => {
            const expected = data.predicted?.[item];
            const score = data.scores[item];
            return typeof expected !== "number" || score === null ? [] : [{
                x: expected, y: score, radius: 5, id: { iteration: data.round, episode: item },
                tip: { name: shortId(data.ids[item]), lines: [`predicted ${number(expected)}`, `score ${number(score)}`] },
            }];
        });
        this.predicted.update({ dots, x: { label: "predicted by the model" }, y: { label: "score" } });
        byId("predicted-note").textContent = dots.length > 0 ? "Predictions before the model learned from these scores." : "";
    }

    /**
     * @param {string} judge
     * @param {number} shown
     */
    drawErrors(judge, shown) {
        const rounds = (this.adviser?.rounds ?? []).filter((round) => round.judge === judge);
        const points = (/** @type {"error_before" | "expected_error" | "random_error"} */ name) => rounds.map((round) => ({ x: round.round, y: round[name] }));
        const lines = [
            { name: "without scores", colour: "var(--control-dark)", dash: "2 3", width: 2, points: points("error_before") },
            { name: "with as many random items scored", colour: "var(--control-light)", dash: "7 4", width: 2, points: points("random_error") },
            { name: "with the chosen items scored", colour: "var(--accent)", width: 2, dots: rounds.length < 40, points: points("expected_error") },
        ];
        this.errors.update({
            lines,
            x: { label: "round", whole: true },
            y: { label: "root mean square error of an item, in the unit of scores", zero: true },
            mark: shown,
            bars: { name: "items chosen", points: rounds.map((round) => ({ x: round.round, y: round.chosen })) },
        });
        byId("errors-legend").replaceChildren(legend(lines, "line"));
        byId("errors-judge").textContent = (this.adviser?.judges.length ?? 0) > 1 ? `scored by ${judge}` : "";
    }

    /** @param {number} item */
    select(item) {
        this.selected = item;
        this.map.mark(item);
        this.markRow();
        byId("items").querySelector("tr.selected")?.scrollIntoView({ block: "nearest" });
    }

    markRow() {
        for (const row of byId("items").children) {
            row.classList.toggle("selected", row.dataset.item === String(this.selected));
        }
    }
}

/**
 * A round in words.
 *
 * @param {Round} data
 */
function summary(data) {
    const missing = data.chosen.filter((item) => data.scores[item] === null).length;
    const parts = [element("strong", {}, `${number(data.chosen.length)} of ${counted(data.size, "item")} chosen`)];
    const more = [
        data.chosen.length === 0 ? null : missing === 0 ? "all scored" : `${number(missing)} not scored yet`,
        data.abandoned.length === 0 ? null : `${number(data.abandoned.length)} abandoned`,
        data.owned === 0 ? null : `${number(data.owned)} known before`,
    ].filter((word) => word);
    parts.push(more.length === 0 ? "." : `, ${more.join(", ")}.`);
    const { error_before: before, expected_error: after, random_error: random } = data;
    if (before !== null && after !== null && random !== null && data.chosen.length > 0) {
        parts.push(` The expected error of an estimate is ${number(before)} without these scores, ${number(after)} with them, and ${number(random)} with as many random ones.`);
    }
    return parts;
}

/**
 * @param {string} id
 * @param {string} value
 * @param {string} note
 */
function fact(id, value, note) {
    byId(id).replaceChildren(element("b", {}, value), note === "" ? "" : element("small", {}, note));
}

/**
 * A number with its limit.
 *
 * @param {string} id
 * @param {number} used
 * @param {number | null} limit
 * @param {string} name for screen readers
 */
function limited(id, used, limit, name) {
    fact(id, number(used), limit === null ? "no limit" : `of ${number(limit)}`);
    if (limit !== null) {
        byId(id).append(element("progress", { class: "limit", max: Math.max(limit, 1e-9), value: Math.min(used, limit), "aria-label": `${name}: ${number(used)} of ${number(limit)}` }));
    }
}

const given = new URLSearchParams(location.search).get("adviser");
byId("all").hidden = given === null;

/** @returns {Promise<string>} the only adviser of its own service */
async function own() {
    /** @type {{id: string}[]} */
    const all = await get("/api/advisers");
    if (all.length === 0) {
        throw new Error("There is no adviser here.");
    }
    return all[0].id;
}

(given === null ? own() : Promise.resolve(given)).then((id) => new AdviserPage(id).open()).catch(showError);
