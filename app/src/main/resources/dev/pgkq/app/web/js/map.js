// @ts-check
/**
 * The map: the episodes of an iteration on the two leading principal components of the kernel between them.
 *
 * Both axes have the same unit, so distances are the kernel's. A dot has the area of the weight 1/N. An episode chosen with
 * weight w has a disc of w N times that area, so all discs together are as large as all dots. The mean of all episodes is the
 * origin, because the components are centred. A choice is good if its weighted mean is close to the origin. The dashed circle
 * shows the distance for a random choice,
 *
 *     r² = (1/n) (1 − n/N) (N/(N−1)) mean(x² + y²),
 *
 * the root mean square distance, in this plane, of the mean of n episodes drawn from the N without replacement.
 */
import { Chart, d3 } from "./chart.js";
import { TASK_REWARD, YOUR_REWARD } from "./curves.js";
import { element } from "./dom.js";
import { number, percent, short } from "./format.js";

/**
 * @typedef {{iteration: number, lengths: number[], endings: string[], returns: (number | null)[], chosen: number[],
 *     weights: number[], paid: (number | null)[] | null, predicted: (number | null)[] | null,
 *     map: {x: number[], y: number[], share: number[]} | null, wce: number | null, wceRandom: number | null,
 *     scale: number | null, noise: number | null, forecast?: import("./forecast.js").Forecast | null,
 *     awaited?: boolean}} Iteration awaited: rewards are pending
 *     With external rewards, returns are those by the task's own reward.
 * @typedef {"return" | "length" | "predicted" | "task" | "mean" | "deviation"} ColourBy task: the return by the task's own reward;
 *     mean and deviation: what is believed of the items of a round
 */

const DOT = 4.6;
const LARGEST = 36;
const MARGIN = 26;
/** Fraction of the episodes at either end that get the colour of that end. */
const OUTLIERS = 0.05;

/** @type {Partial<Record<ColourBy, string>>} */
const LABELS = { return: "return", length: "length in steps", predicted: "return predicted by the model", task: `return by ${TASK_REWARD}` };
const PAID_LABEL = `return by ${YOUR_REWARD}`;

/**
 * The radius of a chosen episode's disc if dots have radius dot.
 *
 * @param {number} weight
 * @param {number} size N
 * @param {number} dot
 * @returns {number}
 */
export function discRadius(weight, size, dot) {
    return dot * Math.sqrt(Math.max(0, weight) * size);
}

/**
 * The root mean square distance of a random choice of n episodes from the mean of all, see above.
 *
 * @param {number[]} x
 * @param {number[]} y
 * @param {number} n
 * @returns {number}
 */
export function randomDistance(x, y, n) {
    const size = x.length;
    if (size < 2 || n < 1) {
        return 0;
    }
    const square = d3.mean(x, (/** @type {number} */ v, /** @type {number} */ i) => v * v + y[i] * y[i]);
    return Math.sqrt(Math.max(0, (1 / n) * (1 - n / size) * (size / (size - 1)) * square));
}

/**
 * Half the side of the square around the mean that a close-up shows. It contains 85% of the episodes.
 *
 * @param {number[]} x
 * @param {number[]} y
 * @param {number} random
 * @returns {number}
 */
export function closeRadius(x, y, random) {
    const distances = x.map((v, i) => Math.max(Math.abs(v), Math.abs(y[i])));
    return Math.max(1.15 * d3.quantile(distances, 0.85), 1.1 * random);
}

/**
 * The correlation of two lists; NaN if one is constant.
 *
 * @param {number[]} a
 * @param {number[]} b
 * @returns {number}
 */
export function correlation(a, b) {
    const meanA = d3.mean(a);
    const meanB = d3.mean(b);
    let ab = 0;
    let aa = 0;
    let bb = 0;
    a.forEach((value, i) => {
        ab += (value - meanA) * (b[i] - meanB);
        aa += (value - meanA) ** 2;
        bb += (b[i] - meanB) ** 2;
    });
    return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : NaN;
}

/**
 * The return of each episode by the reward that the run trains on, null where it is not known. An external reward is known for
 * paid episodes only.
 *
 * @param {Iteration} data
 * @param {boolean} external
 * @returns {(number | null)[]}
 */
export function knownReturns(data, external) {
    if (!external) {
        return data.returns;
    }
    /** @type {(number | null)[]} */
    const result = data.lengths.map(() => null);
    data.chosen.forEach((episode, i) => { result[episode] = data.paid?.[i] ?? null; });
    return result;
}

export class EpisodeMap extends Chart {
    /**
     * @param {HTMLElement} host
     * @param {{pick: (episode: number) => void, legend: HTMLElement, label?: string}} options
     */
    constructor(host, { pick, legend, label = "Map of the episodes of an iteration. Arrow keys move from episode to episode, Enter plays one." }) {
        super(host, { height: 400, label });
        this.pick = pick;
        this.legend = legend;
        /** @type {Iteration | null} */
        this.data = null;
        /** @type {ColourBy} */
        this.by = "return";
        /** Whether rewards are external. */
        this.external = false;
        /** Whether the returns of all episodes mean something, which they do not if the task has no reward of its own. */
        this.hasReturns = true;
        /** Whether the chosen episodes are to represent all, so that their weighted mean says how well they do. */
        this.hasMeans = true;
        /** What the legend says of episodes whose value is not known. */
        this.unpaidWords = "not paid for";
        /** Whether distant episodes are left out. */
        this.closeUp = false;
        /** The position of each episode. @type {{x: number, y: number, weight: number, paid: number | null}[] | null} */
        this.dots = null;
        /** The episode under the pointer or the keys. */
        this.at = -1;
        /** The episode being played. */
        this.played = -1;
        host.classList.add("map");
        this.svg.on("pointermove", (/** @type {PointerEvent} */ event) => this.point(event));
        this.svg.on("click", () => this.choose());
    }

    /**
     * @param {Iteration} data
     * @param {ColourBy} by
     */
    update(data, by) {
        if (this.data?.iteration !== data.iteration) {
            this.at = -1;
            this.hideTip();
        }
        this.data = data;
        this.by = by;
        this.redraw();
    }

    /** @param {number} episode the one being played, or −1 */
    mark(episode) {
        this.played = episode;
        this.drawPlayed();
    }

    /** @param {ColourBy} by */
    values(by) {
        const data = /** @type {Iteration} */ (this.data);
        switch (by) {
            case "length":
                return data.lengths;
            case "predicted":
                return data.predicted ?? data.lengths;
            case "task":
                return data.returns;
            default:
                return knownReturns(data, this.external);
        }
    }

    draw() {
        const data = this.data;
        if (!data) {
            this.empty("No data yet");
            return;
        }
        const size = data.lengths.length;
        const width = this.host.clientWidth;
        const { x: xs, y: ys } = this.places(data);
        const weighted = this.weightedMean(data, xs, ys);
        const random = data.map && this.hasMeans ? randomDistance(xs, ys, data.chosen.length) : 0;
        const near = this.closeUp && data.map ? closeRadius(xs, ys, random) : Infinity;
        const [left, right] = data.map ? [Math.max(-near, Math.min(...xs, -random)), Math.min(near, Math.max(...xs, random))] : around(xs);
        const [low, high] = data.map ? [Math.max(-near, Math.min(...ys, -random)), Math.min(near, Math.max(...ys, random))] : around(ys);
        const shape = data.map ? (high - low) / (right - left || 1) : 0.6;
        this.height = Math.round(Math.max(0.55, Math.min(width < 500 ? 0.95 : 0.7, shape)) * (width - 2 * MARGIN)) + 2 * MARGIN + 16;
        const fit = Math.min((width - 2 * MARGIN) / (right - left || 1), (this.height - 2 * MARGIN - 16) / (high - low || 1));
        const x = data.map
            ? (/** @type {number} */ v) => width / 2 + (v - (left + right) / 2) * fit
            : d3.scaleLinear().domain([left, right]).range([MARGIN, width - MARGIN]);
        const y = data.map
            ? (/** @type {number} */ v) => (this.height - 16) / 2 - (v - (low + high) / 2) * fit
            : d3.scaleLinear().domain([low, high]).range([this.height - 16 - MARGIN, MARGIN]);
        this.scales = { x, y };
        const largest = Math.max(...data.weights, 1 / size);
        const dot = Math.max(1.5, Math.min(DOT, LARGEST / Math.sqrt(largest * size)));
        this.dots = xs.map((value, i) => ({ x: x(value), y: y(ys[i]), weight: 0, paid: null }));
        data.chosen.forEach((episode, i) => {
            const own = this.dots?.[episode];
            if (own) {
                own.weight = data.weights[i];
                own.paid = data.paid?.[i] ?? null;
            }
        });
        const colour = this.colours();
        const values = this.values(this.by);
        this.svg.attr("viewBox", `0 0 ${width} ${this.height}`).attr("width", width).attr("height", this.height);
        this.svg.selectAll("*").remove();
        this.drawAxes(data, width);
        const dots = this.dots;
        this.svg.append("g").selectAll("circle").data(data.chosen).join("circle")
            .attr("class", data.awaited ? "chosen awaited" : "chosen").attr("data-episode", (/** @type {number} */ e) => e)
            .attr("cx", (/** @type {number} */ e) => dots[e].x).attr("cy", (/** @type {number} */ e) => dots[e].y)
            .attr("r", (/** @type {number} */ e) => discRadius(dots[e].weight, size, dot))
            .style("fill", (/** @type {number} */ e) => colour(values[e]));
        this.svg.append("g").selectAll("circle").data(d3.range(size)).join("circle")
            .attr("class", (/** @type {number} */ e) => (data.chosen.includes(e) ? "episode paid" : "episode"))
            .attr("data-episode", (/** @type {number} */ e) => e)
            .attr("cx", (/** @type {number} */ e) => dots[e].x).attr("cy", (/** @type {number} */ e) => dots[e].y)
            .attr("r", dot)
            .style("fill", (/** @type {number} */ e) => colour(values[e]))
            .filter(".paid").raise(); // others must not hide what was paid for
        if (data.map && this.hasMeans && data.chosen.length < size) {
            this.drawMeans({ x: x(0), y: y(0) }, { x: x(weighted.x), y: y(weighted.y) }, random * fit);
        }
        this.drawPlayed();
        this.drawLegend();
        if (this.at >= 0 && !this.tip.hidden) {
            this.showValues();
        }
    }

    /**
     * The coordinates of the episodes. The sign of a component has no meaning. The map is flipped so that longer episodes (better
     * ones, where all have the same length) are on the right, and better ones at the top.
     *
     * @param {Iteration} data
     */
    places(data) {
        if (!data.map) {
            return { x: data.lengths, y: this.heights(data).values.map((value) => value ?? 0) };
        }
        const { x, y } = data.map;
        const returns = knownReturns(data, this.external).map((value, i) => value ?? data.predicted?.[i] ?? null);
        const known = data.lengths.map((_, i) => i).filter((i) => returns[i] !== null);
        const towards = (/** @type {number[]} */ component) =>
            correlation(known.map((i) => component[i]), known.map((i) => returns[i] ?? 0));
        const byLength = correlation(x, data.lengths);
        const turnX = Number.isNaN(byLength) ? towards(x) < 0 : byLength < 0;
        return { x: turnX ? x.map((v) => -v) : x, y: towards(y) < 0 ? y.map((v) => -v) : y };
    }

    /**
     * What is plotted upwards if there is no kernel: the return. If some episodes are not paid for, it is predicted for these or, without
     * a model, it is the return by the task's own reward.
     *
     * @param {Iteration} data
     */
    heights(data) {
        const own = knownReturns(data, this.external);
        const predicted = data.predicted;
        if (!this.external || !own.includes(null) || data.awaited) {
            return { label: this.label("return"), values: own };
        }
        return predicted
            ? { label: `${this.label("return")}, paid or predicted`, values: own.map((value, i) => value ?? predicted[i]) }
            : { label: this.label("task"), values: data.returns };
    }

    /** @param {ColourBy} by */
    label(by) {
        return by === "return" && this.external ? PAID_LABEL : LABELS[by] ?? by;
    }

    /**
     * The labels of the axes if there is no kernel.
     *
     * @param {Iteration} data
     */
    plainAxes(data) {
        return [this.label("length"), this.heights(data).label];
    }

    /**
     * @param {Iteration} data
     * @param {number[]} x
     * @param {number[]} y
     */
    weightedMean(data, x, y) {
        return {
            x: d3.sum(data.chosen, (/** @type {number} */ e, /** @type {number} */ i) => data.weights[i] * x[e]),
            y: d3.sum(data.chosen, (/** @type {number} */ e, /** @type {number} */ i) => data.weights[i] * y[e]),
        };
    }

    /**
     * @param {Iteration} data
     * @param {number} width
     */
    drawAxes(data, width) {
        const [across, up] = data.map
            ? data.map.share.map((share, i) => `${i === 0 ? "first" : "second"} component, ${percent(share)} of the variance`)
            : this.plainAxes(data);
        const bottom = this.height - 16;
        this.svg.append("line").attr("class", "base").attr("x1", 0).attr("x2", width).attr("y1", bottom).attr("y2", bottom);
        this.svg.append("text").attr("class", "axis-label").attr("x", width).attr("y", this.height - 3)
            .attr("text-anchor", "end").text(`${across} →`);
        this.svg.append("text").attr("class", "axis-label").attr("x", 0).attr("y", 12).text(`↑ ${up}`);
    }

    /**
     * @param {{x: number, y: number}} mean
     * @param {{x: number, y: number}} weighted
     * @param {number} random radius
     */
    drawMeans(mean, weighted, random) {
        const group = this.svg.append("g").attr("class", "means");
        group.append("circle").attr("class", "random").attr("cx", mean.x).attr("cy", mean.y).attr("r", random);
        group.append("line").attr("class", "miss").attr("x1", mean.x).attr("y1", mean.y).attr("x2", weighted.x).attr("y2", weighted.y);
        // both must be visible where they coincide, and on dots of any colour
        const large = this.host.clientWidth < 500 ? 8 : 10;
        for (const kind of ["halo", "cross"]) {
            group.append("path").attr("class", kind).attr("d", cross(mean.x, mean.y, 0.6 * large));
        }
        for (const kind of ["halo", "diamond"]) {
            group.append("path").attr("class", kind).attr("d", diamond(weighted.x, weighted.y, large));
        }
    }

    drawPlayed() {
        this.svg.selectAll(".played").remove();
        const own = this.dots?.[this.played];
        if (own) {
            this.svg.append("circle").attr("class", "played").attr("cx", own.x).attr("cy", own.y).attr("r", DOT + 5);
        }
    }

    /** The range of the colour scale, without outliers, which would make all other episodes look the same. */
    range() {
        const known = this.values(this.by).filter((v) => v !== null && Number.isFinite(v));
        return [d3.quantile(known, OUTLIERS), d3.quantile(known, 1 - OUTLIERS), d3.min(known), d3.max(known)];
    }

    /** The colour scale: viridis, without the end that has too little contrast with the background. */
    colours() {
        const [low, high] = this.range();
        const dark = matchMedia("(prefers-color-scheme: dark)").matches;
        const [from, to] = dark ? [0.22, 1] : [0, 0.92];
        return (/** @type {number | null} */ value) => {
            if (value === null || !Number.isFinite(value)) {
                return "var(--unknown)";
            }
            const share = high > low ? Math.max(0, Math.min(1, (value - low) / (high - low))) : 0.5;
            return d3.interpolateViridis(from + (to - from) * share);
        };
    }

    drawLegend() {
        const colour = this.colours();
        const [low, high, least, most] = this.range();
        const steps = 12;
        const bar = d3.create("svg").attr("class", "ramp").attr("aria-hidden", "true");
        const gradient = bar.append("linearGradient").attr("id", "ramp-colours");
        for (let i = 0; i <= steps; i++) {
            gradient.append("stop").attr("offset", i / steps).attr("stop-color", colour(low + (high - low) * i / steps));
        }
        bar.append("rect").attr("width", "100%").attr("height", "100%").attr("fill", "url(#ramp-colours)");
        this.legend.replaceChildren(
            element("span", {}, end(low, least < low ? "≤ " : "")), bar.node(),
            element("span", {}, end(high, most > high ? "≥ " : "")), element("span", { class: "of" }, this.label(this.by)), this.unknown() ? unpaidKey(this.unpaidWords) : "");
    }

    /** Whether episodes are drawn in the colour of unknown values. */
    unknown() {
        return this.external && this.by === "return" && this.values(this.by).includes(null);
    }

    /** @param {PointerEvent} event */
    point(event) {
        if (!this.dots) {
            return;
        }
        const [px, py] = d3.pointer(event, this.svg.node());
        const nearest = d3.minIndex(this.dots, (/** @type {{x: number, y: number}} */ p) => Math.hypot(p.x - px, p.y - py));
        const own = this.dots[nearest];
        const inside = own && own.x >= 0 && own.x <= this.host.clientWidth && own.y >= 0 && own.y <= this.height;
        if (inside && Math.hypot(own.x - px, own.y - py) < 24) {
            this.at = nearest;
            this.showValues();
        } else {
            this.at = -1;
            this.hideTip();
        }
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        super.key(event);
        const dots = this.dots;
        if (!dots) {
            return;
        }
        /** @type {Record<string, [number, number]>} */
        const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const direction = directions[event.key];
        if (direction || event.key === "Home") {
            event.preventDefault();
            const heaviest = d3.maxIndex(dots, (/** @type {{weight: number}} */ p) => p.weight);
            this.at = this.at < 0 || !direction ? heaviest : this.next(this.at, direction);
            this.showValues();
        } else if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            this.choose();
        }
    }

    /**
     * The closest episode in a direction.
     *
     * @param {number} from
     * @param {[number, number]} direction
     */
    next(from, [wx, wy]) {
        const dots = /** @type {{x: number, y: number}[]} */ (this.dots);
        let best = from;
        let least = Infinity;
        dots.forEach((p, i) => {
            const dx = p.x - dots[from].x;
            const dy = p.y - dots[from].y;
            const along = dx * wx + dy * wy;
            const aside = Math.abs(dx * wy + dy * wx);
            if (i !== from && along > 0 && along >= aside * 0.6 && along + 2 * aside < least) {
                least = along + 2 * aside;
                best = i;
            }
        });
        return best;
    }

    choose() {
        if (this.at >= 0) {
            this.pick(this.at);
        }
    }

    showValues() {
        const data = this.data;
        const own = this.dots?.[this.at];
        if (!data || !own) {
            return;
        }
        this.svg.selectAll(".hover").remove();
        this.svg.append("circle").attr("class", "hover ring").attr("cx", own.x).attr("cy", own.y).attr("r", DOT + 5);
        this.showTip(own.x, own.y, this.words(data, own));
    }

    /**
     * What is said about the episode under the pointer or the keys.
     *
     * @param {Iteration} data
     * @param {{weight: number, paid: number | null}} own
     * @returns {import("./chart.js").Tip}
     */
    words(data, own) {
        const lines = [`${number(data.lengths[this.at])} steps, ${data.endings[this.at]}`];
        if (data.returns[this.at] !== null && this.hasReturns) {
            lines.push(`return ${this.external ? `by ${TASK_REWARD} ` : ""}${number(data.returns[this.at])}`);
        }
        if (data.predicted) {
            lines.push(`predicted ${number(data.predicted[this.at])}`);
        }
        if (data.chosen.includes(this.at)) {
            lines.push(`weight ${percent(own.weight)}`);
            lines.push(own.paid === null ? "chosen, reward pending" : `paid: ${number(own.paid)}`);
        } else {
            lines.push(data.awaited ? "not chosen" : "not paid for");
        }
        return { name: `Episode ${this.at}`, lines };
    }
}

/**
 * The range of some values, with a margin.
 *
 * @param {number[]} values
 */
function around(values) {
    const [low, high] = d3.extent(values);
    const margin = low === high ? 1 : 0.1 * (high - low); // discs are larger than dots
    return [low - margin, high + margin];
}

/**
 * The part of the legend for episodes whose value is not known.
 *
 * @param {string} words
 */
function unpaidKey(words) {
    const dot = d3.create("svg").attr("class", "swatch map").attr("width", 12).attr("height", 12).attr("aria-hidden", "true");
    dot.append("circle").attr("class", "episode").attr("cx", 6).attr("cy", 6).attr("r", DOT).style("fill", "var(--unknown)");
    return element("span", { class: "unpaid-key" }, dot.node(), words);
}

/**
 * The label of an end of the colour scale, with three digits.
 *
 * @param {number | undefined} value
 * @param {string} sign
 */
function end(value, sign) {
    return value === undefined ? "–" : sign + short(Number(value.toPrecision(3)));
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function cross(x, y, r) {
    return `M${x - r},${y}H${x + r}M${x},${y - r}V${y + r}`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function diamond(x, y, r) {
    return `M${x - r},${y}L${x},${y - r}L${x + r},${y}L${x},${y + r}Z`;
}
