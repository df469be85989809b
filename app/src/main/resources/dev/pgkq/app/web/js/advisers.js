// @ts-check
/** The advisers in the list of runs. */
import { get } from "./api.js";
import { byId, element } from "./dom.js";
import { ago, number } from "./format.js";
import { pill } from "./parts.js";

/**
 * @typedef {{id: string, name: string, state: string, round?: number, open?: number, calls?: number, answers?: number,
 *     maxEvaluations?: number | null, updated?: number}} Listed an adviser; without numbers if its files cannot be read
 */

/**
 * Lists the advisers in the folder.
 *
 * @returns {Promise<number>} their number
 */
export async function listAdvisers() {
    /** @type {Listed[]} */
    const all = await get("/api/advisers");
    byId("advisers").hidden = all.length === 0;
    byId("advisers-body").replaceChildren(...all.map((adviser) => {
        const limit = adviser.maxEvaluations;
        return element("tr", {},
            element("th", { scope: "row" }, element("a", { href: `/adviser.html?adviser=${encodeURIComponent(adviser.id)}` }, adviser.name)),
            element("td", {}, pill(adviser.state)),
            ...[number(adviser.round), number(adviser.open),
                limit === null || limit === undefined ? number(adviser.calls) : `${number(adviser.calls)} of ${number(limit)}`,
                number(adviser.answers), ago(adviser.updated)].map((text) => element("td", { class: "number" }, text)));
    }));
    return all.length;
}
