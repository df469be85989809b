// @ts-check
/** What rewards from outside have cost, and how far their budget goes. */
import { element } from "./dom.js";
import { number } from "./format.js";

/**
 * @typedef {{outstanding: number, done: number, failed: number, inDoubt: number, spent: number | null,
 *     maxEvaluations: number | null, maxCost: number | null}} Ledgers
 */

export class Ledger {
    /** @param {HTMLElement} host */
    constructor(host) {
        this.host = host;
    }

    /** @param {Ledgers} ledger */
    update(ledger) {
        const asked = ledger.done + ledger.failed + ledger.inDoubt + ledger.outstanding;
        /** @type {[string, number, string][]} */
        const counts = [
            ["done", ledger.done, "answered and kept"],
            ["outstanding", ledger.outstanding, "asked, not answered yet"],
            ["failed", ledger.failed, "no answer after every attempt"],
            ["in doubt", ledger.inDoubt, "asked when the run stopped; may have been paid for"],
        ];
        this.host.replaceChildren(
            element("dl", { class: "counts" }, ...counts.map(([name, count, title]) =>
                element("div", { title, "data-kind": name.replace(" ", "-"), class: count === 0 ? "zero" : null },
                    element("dt", {}, name), element("dd", {}, number(count))))),
            budget("evaluations", asked - ledger.failed, ledger.maxEvaluations),
            typeof ledger.spent === "number" && (ledger.spent > 0 || ledger.maxCost !== null)
                ? budget("spent", ledger.spent, ledger.maxCost) : "");
    }
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
