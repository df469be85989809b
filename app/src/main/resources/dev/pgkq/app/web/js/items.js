// @ts-check
/** The map of the items of a round: that of the episodes of an iteration, with other words and values. */
import { number, percent } from "./format.js";
import { EpisodeMap } from "./map.js";

/**
 * @typedef {import("./map.js").Iteration & {round: number, judge: string, source: number | null, open: boolean, size: number,
 *     owned: number, ids: string[], abandoned: number[], scores: (number | null)[], mean: (number | null)[] | null,
 *     deviation: (number | null)[] | null, error_before: number | null, expected_error: number | null,
 *     random_error: number | null}} Round
 *     owned: how many scores were known when it was asked; scores: those that are known now, of all items
 */

const LONGEST_ID = 24;

/** @type {Partial<Record<import("./map.js").ColourBy, string>>} */
const LABELS = {
    return: "score",
    predicted: "score that the model predicted",
    mean: "estimated score",
    deviation: "standard deviation of the estimate's error",
};

/**
 * An id that fits into a table: the ids of items without names are hashes.
 *
 * @param {string} id
 */
export function shortId(id) {
    return id.length <= LONGEST_ID ? id : /^[0-9a-f]{64}/.test(id) ? `${id.slice(0, 10)}…${id.slice(64)}` : `${id.slice(0, LONGEST_ID - 1)}…`;
}

export class ItemMap extends EpisodeMap {
    /**
     * @param {HTMLElement} host
     * @param {{pick: (item: number) => void, legend: HTMLElement}} options
     */
    constructor(host, { pick, legend }) {
        super(host, { pick, legend, label: "Map of the items of a round. Arrow keys move from item to item, Enter selects one." });
        this.external = true;
        // what earlier rounds have told need not be represented
        this.hasMeans = false;
        this.unpaidWords = "not scored";
    }

    get round() {
        return /** @type {Round} */ (this.data);
    }

    /** @param {import("./map.js").ColourBy} by */
    values(by) {
        switch (by) {
            case "mean":
                return this.round.mean ?? [];
            case "deviation":
                return this.round.deviation ?? [];
            case "predicted":
                return this.round.predicted ?? [];
            default:
                return this.round.scores;
        }
    }

    /** @param {import("./map.js").ColourBy} by */
    label(by) {
        return LABELS[by] ?? by;
    }

    /** What is not known has no height of its own. */
    places(/** @type {import("./map.js").Iteration} */ data) {
        if (data.map) {
            return super.places(data);
        }
        const heights = this.round.mean ?? this.round.predicted ?? this.round.scores;
        return { x: data.lengths.map((_, i) => i), y: heights.map((value) => value ?? 0) };
    }

    plainAxes() {
        return ["item", this.round.mean ? this.label("mean") : this.label("predicted")];
    }

    draw() {
        super.draw();
        const dots = this.dots;
        if (!this.data || !dots) {
            return;
        }
        for (const item of this.round.abandoned) {
            const { x, y } = dots[item];
            this.svg.append("path").attr("class", "abandoned").attr("d", `M${x - 5},${y - 5}L${x + 5},${y + 5}M${x + 5},${y - 5}L${x - 5},${y + 5}`);
        }
    }

    /**
     * @param {import("./map.js").Iteration} data
     * @param {{weight: number, paid: number | null}} own
     */
    words(data, own) {
        const round = this.round;
        const lines = [];
        if (data.lengths[this.at] > 1) {
            lines.push(`${number(data.lengths[this.at])} steps`);
        }
        if (round.predicted) {
            lines.push(`predicted ${number(round.predicted[this.at])}`);
        }
        const score = round.scores[this.at];
        if (data.chosen.includes(this.at)) {
            lines.push(`weight ${percent(own.weight)}`);
            lines.push(score === null ? "chosen, score missing" : `score ${number(score)}`);
        } else if (score !== null) {
            lines.push(`score ${number(score)}, ${round.abandoned.includes(this.at) ? "late" : "known before"}`);
        } else {
            lines.push(round.abandoned.includes(this.at) ? "abandoned" : "not chosen");
        }
        if (round.mean && round.deviation) {
            const spread = round.deviation[this.at];
            lines.push(`estimate ${number(round.mean[this.at])}${spread === null ? "" : ` ± ${number(spread)}`}`);
        }
        return { name: shortId(round.ids[this.at]), lines };
    }
}
