// @ts-check
/** Costs of external rewards, and the budget. */
import { element } from "./dom.js";
import { duration, number } from "./format.js";

/**
 * @typedef {{outstanding: number, done: number, failed: number, inDoubt: number, unanswered: number, spent: number | null,
 *     maxEvaluations: number | null, maxCost: number | null, seconds: Bin[]}} Sums
 * @typedef {{from: number, to: number | null, count: number}} Bin answers that took between from and to seconds
 * @typedef {{elsewhere: string}} Elsewhere
 * @typedef {Sums | Elsewhere} Ledgers
 */

export class Ledger {
    /** @param {HTMLElement} host */
    constructor(host) {
        this.host = host;
    }

    /** @param {Ledgers} ledger */
    update(ledger) {
        if ("elsewhere" in ledger) {
            this.host.replaceChildren(...elsewhere(ledger.elsewhere));
        } else {
            this.show(ledger);
        }
    }

    /** @param {Sums} ledger */
    show(ledger) {
        const requested = ledger.done + ledger.failed + ledger.inDoubt + ledger.outstanding;
        /** @type {[string, number, string][]} */
        const counts = [
            ["done", ledger.done, "answered and recorded"],
            ["outstanding", ledger.outstanding, "requested, not answered yet"],
            ["failed", ledger.failed, "no answer after all attempts"],
            ["in doubt", ledger.inDoubt, "in progress when the run stopped; may have been paid for"],
        ];
        this.host.replaceChildren(
            element("dl", { class: "counts" }, ...counts.map(([name, count, title]) =>
                element("div", { title, "data-kind": name.replace(" ", "-"), class: count === 0 ? "zero" : null },
                    element("dt", {}, name), element("dd", {}, number(count))))),
            budget("evaluations", ledger.done + ledger.unanswered, ledger.maxEvaluations),
            typeof ledger.spent === "number" && (ledger.spent > 0 || ledger.maxCost !== null)
                ? budget("spent", ledger.spent, ledger.maxCost) : "",
            ...times(ledger.seconds));
    }
}

/**
 * Shown for a ledger outside the served folder. The server does not open such a ledger merely because a run names it.
 *
 * @param {string} place
 */
function elsewhere(place) {
    const given = place.startsWith("jdbc:") ? `"${place}?user=NAME"` : place;
    return [
        element("p", {}, "The ledger is outside the served folder, at ", element("code", {}, place), "."),
        element("p", { class: "note" }, "To show it here, start the server with ",
            element("code", {}, `pgkq serve … --ledger ${given}`), "."),
    ];
}

/**
 * @param {string} name
 * @param {number} used
 * @param {number | null} limit
 */
function budget(name, used, limit) {
    if (limit === null || limit === undefined) {
        return element("p", { class: "budget" }, element("span", {}, name), element("b", {}, number(used)),
            element("small", {}, "no limit set"));
    }
    const meter = element("progress", { max: limit, value: Math.min(used, limit), "aria-label": `${name}: ${number(used)} of ${number(limit)}` });
    return element("p", { class: used >= 0.9 * limit ? "budget near" : "budget" }, element("span", {}, name), element("b", {}, number(used)),
        element("small", {}, `of ${number(limit)}`), meter);
}

/**
 * A histogram of the durations of evaluations.
 *
 * @param {Bin[]} bins
 */
function times(bins) {
    if (bins.length === 0) {
        return [];
    }
    const most = Math.max(...bins.map((bin) => bin.count));
    const edge = (/** @type {number} */ seconds) => (seconds < 1 ? `${number(1000 * seconds)} ms` : duration(seconds));
    const label = (/** @type {Bin} */ { from, to }) =>
        to === null ? `over ${edge(from)}` : from === 0 ? `under ${edge(to)}` : `${edge(from)} – ${edge(to)}`;
    return [
        element("h3", { class: "durations-title" }, "Duration of evaluations"),
        element("ol", { class: "durations" }, ...bins.map((bin) => element("li", {},
            element("span", {}, label(bin)),
            element("progress", { max: most, value: bin.count, "aria-hidden": "true" }),
            element("b", {}, number(bin.count))))),
    ];
}
