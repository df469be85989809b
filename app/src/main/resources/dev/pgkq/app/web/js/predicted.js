// @ts-check
/** Rewards predicted by the model against paid ones, of the displayed iteration and those before. */
import { ScatterChart } from "./chart.js";
import { byId } from "./dom.js";
import { counted, number } from "./format.js";
import { correlation } from "./map.js";

/** @typedef {import("./map.js").Iteration} Iteration */

/** Number of iterations whose predictions are drawn, including the displayed one. */
export const REMEMBERED = 5;

export class PredictedChart {
    /** @param {(episode: number, iteration: number) => void} play */
    constructor(play) {
        this.scatter = new ScatterChart(byId("predicted"), { height: 215, label: "Rewards predicted by the model against paid rewards",
            diagonal: true, emptyText: "This algorithm has no reward model", pick: ({ id }) => id && play(id.episode, id.iteration) });
        this.caption = byId("predicted-note");
    }

    /** Without a model there is nothing to show. */
    clear() {
        this.scatter.update({ dots: [], x: { label: "" }, y: { label: "" } });
        this.caption.textContent = "";
    }

    /**
     * @param {Iteration} data the displayed iteration
     * @param {Iteration[]} before some that precede it
     */
    show(data, before) {
        const dots = [...before, data].flatMap((one) => dotsOf(one, one !== data));
        this.scatter.update({ dots, x: { label: "predicted by the model" }, y: { label: "paid" } });
        const now = dots.filter((dot) => !dot.faint);
        const r = correlation(now.map((dot) => dot.x), now.map((dot) => dot.y));
        const words = [now.length > 0 ? "Predictions before the model learned from these rewards"
            : data.awaited ? "Rewards of this iteration are pending" : "Nothing was paid for in this iteration"];
        if (!Number.isNaN(r)) {
            words.push(`correlation ${r > 0.9995 ? "above 0.999" : r.toFixed(3).replace("-", "−")} over ${counted(now.length, "episode")}`);
        }
        if (dots.length > now.length) {
            words.push(before.length === 1 ? "pale: the previous iteration" : `pale: the ${before.length} previous iterations`);
        }
        this.caption.textContent = `${words.join("; ")}.`;
    }
}

/**
 * @param {Iteration} one
 * @param {boolean} faint
 * @returns {import("./chart.js").Dot[]}
 */
function dotsOf(one, faint) {
    return one.chosen.flatMap((episode, i) => {
        const paid = one.paid?.[i];
        const expected = one.predicted?.[episode];
        return typeof paid !== "number" || typeof expected !== "number" ? [] : [{
            x: expected, y: paid, faint, radius: faint ? 3.5 : 5, id: { iteration: one.iteration, episode },
            tip: { name: `Episode ${episode}${faint ? `, iteration ${one.iteration}` : ""}`,
                lines: [`predicted ${number(expected)}`, `paid: ${number(paid)}`] },
        }];
    });
}
