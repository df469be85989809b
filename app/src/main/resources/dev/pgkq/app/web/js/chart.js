// @ts-check
/**
 * Charts of the dashboard, on d3: lines with bands, scatter, stacked bars. A chart owns its host element and fills its width.
 * It redraws when its size, its data or the system's colour scheme change. Values are available by pointer and by keyboard: the
 * arrow keys move along x.
 */
import "/lib/d3.min.js";
import { element, onAppearanceChange } from "./dom.js";
import { duration, number, short } from "./format.js";

/** @type {any} */
export const d3 = /** @type {any} */ (globalThis).d3;

/** Symbols that tell lines of one colour apart: first filled, then hollow. */
const SYMBOLS = [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond2, d3.symbolStar, d3.symbolCross];
const SYMBOL_AREA = 58;
/** Width of a line in a legend. */
const SWATCH = 34;
/** Pixels between the symbols of a long line. */
const SYMBOL_SPACING = 90;

const TEXT = 12;
const TICK_SPACING = 78;
/** Height of the strip of bars below the lines, with its label. */
const STRIP = 70;
const STRIP_LABEL = 28;

/**
 * @typedef {{x: number, y: number | null, low?: number | null, high?: number | null}} LinePoint
 * @typedef {{name: string, colour: string, dash?: string, width?: number, band?: number, marker?: number, points: LinePoint[],
 *     dots?: boolean, plannedFrom?: number}} Line
 *     colour: a CSS colour; marker: number of the symbol that is repeated along the line; band: opacity of the area between low and high; dots: every point has a dot; plannedFrom: to the right
 *     of this x the line is dashed and its dots are hollow
 * @typedef {{name: string, points: {x: number, y: number | null}[]}} Bars counts at whole x, drawn in a strip below the lines
 * @typedef {{label: string, log?: boolean, whole?: boolean, zero?: boolean, time?: boolean, name?: (value: number) => string}} Axis
 *     whole: values count something, and fractions lie between two counts; zero: the axis includes 0; time: values are seconds,
 *     with ticks at round durations; name: what tooltips call a value
 * @typedef {{name: string, lines: string[]}} Tip
 */

/** Base class of all charts: an SVG with axes, a tooltip, and one stop in the tab order. */
export class Chart {
    /**
     * @param {HTMLElement} host
     * @param {{height: number, label: string}} options
     */
    constructor(host, { height, label }) {
        /** Whether there was an update. Before the first one, data may still be loading. */
        this.updated = false;
        this.host = host;
        this.height = height;
        host.classList.add("chart");
        this.svg = d3.create("svg").attr("role", "img").attr("aria-label", label).attr("tabindex", 0)
            .attr("data-own-keys", "");
        this.tip = element("div", { class: "tip", role: "status", hidden: true });
        host.replaceChildren(this.svg.node(), this.tip);
        this.svg.on("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
        this.svg.on("blur", () => this.hideTip());
        this.svg.on("pointerleave", () => this.hideTip());
        this.redraw = () => {
            if (host.clientWidth > 0) {
                this.draw();
            }
        };
        onAppearanceChange(host, this.redraw);
    }

    draw() {}

    /** @param {KeyboardEvent} event */
    key(event) {
        if (event.key === "Escape") {
            this.hideTip();
        }
    }

    /**
     * Draws the axes and returns the area inside them; margins depend on the labels. Between this area and the x axis, a strip of
     * the given height is left free.
     */
    frame(/** @type {any} */ x, /** @type {any} */ y, /** @type {Axis} */ xAxis, /** @type {Axis} */ yAxis, strip = 0) {
        const width = this.host.clientWidth;
        const height = this.height;
        const top = 22;
        const bottom = 40;
        const yTicks = ticks(y, yAxis, Math.max(3, Math.floor((height - top - bottom - strip) / 42)));
        const yFormat = yAxis.time ? tickTime : short;
        const left = 12 + Math.max(24, ...yTicks.map((/** @type {number} */ t) => textWidth(yFormat(t))));
        const xFormat = xAxis.time ? tickTime : short;
        x.range([left, width - 14]);
        y.range([height - bottom - strip, top]);
        const xTicks = ticks(x, xAxis, Math.max(2, Math.floor((width - left) / TICK_SPACING)));
        this.svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
        this.svg.selectAll("*").remove();
        const axes = this.svg.append("g").attr("class", "axes");
        for (const t of yTicks) {
            axes.append("line").attr("class", "grid").attr("x1", left).attr("x2", width - 14)
                .attr("y1", y(t)).attr("y2", y(t));
            axes.append("text").attr("x", left - 7).attr("y", y(t)).attr("dy", "0.32em").attr("text-anchor", "end")
                .text(yFormat(t));
        }
        axes.append("line").attr("class", "base").attr("x1", left).attr("x2", width - 14)
            .attr("y1", height - bottom).attr("y2", height - bottom);
        for (const t of xTicks) {
            const text = xFormat(t);
            const half = textWidth(text) / 2;
            axes.append("line").attr("class", "base").attr("x1", x(t)).attr("x2", x(t))
                .attr("y1", height - bottom).attr("y2", height - bottom + 4);
            axes.append("text").attr("x", Math.min(x(t), width - half - 1)).attr("y", height - bottom + 17)
                .attr("text-anchor", "middle").text(text);
        }
        axes.append("text").attr("class", "axis-label").attr("x", (left + width - 14) / 2).attr("y", height - 5)
            .attr("text-anchor", "middle").text(xAxis.log ? `${xAxis.label}, logarithmic` : xAxis.label);
        axes.append("text").attr("class", "axis-label").attr("x", 2).attr("y", 12).text(yAxis.label);
        return { width, height, left, right: width - 14, top, bottom: height - bottom - strip };
    }

    /**
     * Shows a tooltip at a position in the chart.
     *
     * @param {number} x
     * @param {number} y
     * @param {Tip} tip
     */
    showTip(x, y, tip) {
        this.tip.replaceChildren(element("strong", {}, tip.name), ...tip.lines.map((line) => element("div", {}, line)));
        this.tip.hidden = false;
        const available = this.host.clientWidth;
        const width = this.tip.offsetWidth;
        const height = this.tip.offsetHeight;
        const right = x + 14 + width <= available;
        this.tip.style.left = `${right ? x + 14 : Math.max(0, x - 14 - width)}px`;
        this.tip.style.top = `${Math.max(0, Math.min(y - height / 2, this.height - height))}px`;
    }

    hideTip() {
        this.tip.hidden = true;
        this.svg.selectAll(".hover").remove();
    }

    /** @param {string} text shown if there is nothing to draw */
    empty(text) {
        const width = this.host.clientWidth;
        this.svg.attr("viewBox", `0 0 ${width} ${this.height}`).attr("width", width).attr("height", this.height);
        this.svg.selectAll("*").remove();
        this.svg.append("text").attr("class", "empty-text").attr("x", width / 2).attr("y", this.height / 2)
            .attr("text-anchor", "middle").text(text);
    }
}

/**
 * Lines with bands over one axis, with a labelled horizontal line for reference and a strip of bars below, if there are any. One
 * x can be marked, and a click selects an x.
 */
export class LineChart extends Chart {
    /**
     * @param {HTMLElement} host
     * @param {{height?: number, label: string, emptyText?: string, pick?: (x: number) => void}} options
     */
    constructor(host, options) {
        super(host, { height: options.height ?? 240, label: options.label });
        this.emptyText = options.emptyText ?? "No data yet";
        this.pick = options.pick;
        /** @type {Line[]} */
        this.lines = [];
        /** @type {Axis} */
        this.x = { label: "" };
        /** @type {Axis} */
        this.y = { label: "" };
        /** @type {number | null} */
        this.mark = null;
        /** @type {{y: number, label: string} | null} */
        this.reference = null;
        /** @type {Bars | null} */
        this.bars = null;
        this.at = -1;
        this.svg.on("pointermove", (/** @type {PointerEvent} */ event) => this.point(event));
        this.svg.on("click", () => this.choose());
        this.svg.classed("picks", Boolean(this.pick));
    }

    /**
     * @param {{lines: Line[], x: Axis, y: Axis, mark?: number | null, reference?: {y: number, label: string} | null,
     *     bars?: Bars | null}} data
     */
    update({ lines, x, y, mark, reference, bars }) {
        this.updated = true;
        this.lines = lines;
        this.x = x;
        this.y = y;
        this.mark = mark ?? null;
        this.reference = reference ?? null;
        this.bars = bars ?? null;
        this.redraw();
    }

    /** @param {number | null} mark */
    setMark(mark) {
        this.mark = mark;
        this.drawMark();
    }

    draw() {
        const log = this.y.log;
        const known = this.lines.map((line) => ({
            ...line,
            points: line.points.filter((p) => p.y !== null && Number.isFinite(p.y) && Number.isFinite(p.x)
                && (!log || p.y > 0)),
        }));
        const all = known.flatMap((line) => line.points);
        if (all.length === 0) {
            this.frameBox = null;
            this.empty(this.updated ? this.emptyText : "Loading …");
            return;
        }
        const reference = this.reference;
        const bars = this.bars;
        const xs = d3.extent([...all, ...(bars?.points ?? [])], (/** @type {LinePoint} */ p) => p.x);
        const lows = all.map((p) => p.low ?? p.y).concat(reference?.y ?? []);
        const highs = all.map((p) => p.high ?? p.y).concat(reference?.y ?? []);
        const [from, to] = this.x.whole ? [Math.floor(xs[0]), Math.ceil(xs[1])] : xs;
        const margin = from === to ? 1 : bars ? 0.5 : this.lines.some((line) => line.dots) ? (to - from) * 0.04 : 0;
        const x = this.x.log ? d3.scaleLog().domain([from, to]) : d3.scaleLinear().domain([from - margin, to + margin]);
        const y = log ? d3.scaleLog() : d3.scaleLinear();
        y.domain(padded(d3.min(lows), d3.max(highs), this.y));
        if (!log) {
            y.nice(4);
        }
        this.frameBox = this.frame(x, y, this.x, this.y, bars ? STRIP : 0);
        this.scales = { x, y };
        this.known = known;
        this.places = [...new Set([...all, ...(bars?.points ?? [])].map((p) => p.x))].sort((a, b) => a - b);
        if (bars) {
            this.drawBars(bars, x, this.frameBox);
        }
        const line = d3.line().x((/** @type {LinePoint} */ p) => x(p.x)).y((/** @type {LinePoint} */ p) => y(p.y));
        const area = d3.area().defined((/** @type {LinePoint} */ p) => p.low !== undefined && p.low !== null)
            .x((/** @type {LinePoint} */ p) => x(p.x))
            .y0((/** @type {LinePoint} */ p) => y(p.low)).y1((/** @type {LinePoint} */ p) => y(p.high));
        for (const { points, colour, band } of known) {
            if (band) {
                this.svg.append("path").attr("class", "band").attr("d", area(points)).style("fill", colour)
                    .attr("fill-opacity", band);
            }
        }
        for (const { points, colour, dash, width, name, dots, marker, plannedFrom = Infinity } of known) {
            const draw = (/** @type {LinePoint[]} */ some, /** @type {string} */ kind, /** @type {string | undefined} */ dashes) =>
                this.svg.append("path").attr("class", kind).attr("d", line(some)).attr("fill", "none")
                    .style("stroke", colour).attr("stroke-width", width ?? 2).attr("stroke-dasharray", dashes ?? null)
                    .attr("stroke-linejoin", "round").attr("data-name", name);
            draw(points.filter((p) => p.x <= plannedFrom), "line", dash);
            if (plannedFrom < Infinity) {
                draw(points.filter((p) => p.x >= plannedFrom), "line planned", "4 4");
            }
            for (const p of marker === undefined ? [] : spaced(points, (p) => x(p.x), marker)) {
                symbol(this.svg, marker ?? 0, colour, x(p.x), y(p.y));
            }
            for (const p of dots || (points.length === 1 && marker === undefined) ? points : []) {
                const planned = p.x > plannedFrom;
                this.svg.append("circle").attr("class", planned ? "point planned" : "point").attr("cx", x(p.x)).attr("cy", y(p.y))
                    .attr("r", dots ? 4 : 3).style("stroke", colour).style("fill", planned ? "var(--paper)" : colour);
            }
        }
        if (reference) {
            this.drawReference(reference, y, this.frameBox);
        }
        this.drawMark();
    }

    /**
     * Draws bars in the strip between the lines and the x axis, with a label and the height of the highest.
     *
     * @param {Bars} bars
     * @param {any} x
     * @param {{left: number, right: number, bottom: number}} box
     */
    drawBars(bars, x, box) {
        const most = Math.max(1, ...bars.points.map((p) => p.y ?? 0));
        const floor = box.bottom + STRIP;
        const height = d3.scaleLinear().domain([0, most]).range([0, STRIP - STRIP_LABEL - 4]);
        const width = Math.max(1, Math.min(24, (x(1) - x(0)) * 0.7));
        const strip = this.svg.append("g").attr("class", "strip");
        strip.append("text").attr("class", "axis-label").attr("x", 2).attr("y", box.bottom + STRIP_LABEL - 7).text(bars.name);
        strip.append("line").attr("class", "grid").attr("x1", box.left).attr("x2", box.right)
            .attr("y1", floor - height(most)).attr("y2", floor - height(most));
        for (const [value, at] of [[most, floor - height(most)], [0, floor]]) {
            strip.append("text").attr("x", box.left - 7).attr("y", at).attr("dy", "0.32em").attr("text-anchor", "end")
                .text(short(value));
        }
        for (const p of bars.points.filter(({ y }) => y)) {
            strip.append("rect").attr("class", "bar-of-strip").attr("x", x(p.x) - width / 2).attr("width", width)
                .attr("y", floor - height(p.y)).attr("height", height(p.y));
        }
    }

    /**
     * @param {{y: number, label: string}} reference
     * @param {any} y
     * @param {{left: number, right: number, top: number, bottom: number}} box
     */
    drawReference(reference, y, box) {
        const at = y(reference.y);
        this.svg.append("line").attr("class", "reference").attr("x1", box.left).attr("x2", box.right).attr("y1", at).attr("y2", at);
        const above = at - box.top > 20;
        this.svg.append("text").attr("class", "reference-label").attr("x", box.right).attr("y", above ? at - 5 : at + 14)
            .attr("text-anchor", "end").text(reference.label);
    }

    drawMark() {
        this.svg.selectAll(".mark").remove();
        if (this.mark === null || !this.frameBox || !this.scales) {
            return;
        }
        const at = this.scales.x(this.mark);
        if (at < this.frameBox.left || at > this.frameBox.right) {
            return; // an iteration in progress is not in the curves yet
        }
        this.svg.insert("line", ".line").attr("class", "mark").attr("x1", at).attr("x2", at)
            .attr("y1", this.frameBox.top).attr("y2", this.frameBox.bottom + (this.bars ? STRIP : 0));
    }

    /** @param {PointerEvent} event */
    point(event) {
        if (!this.places || !this.scales || !this.frameBox) {
            return;
        }
        const [px] = d3.pointer(event, this.svg.node());
        const wanted = this.scales.x.invert(px);
        this.at = d3.bisectCenter(this.places, wanted);
        this.showValues();
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        super.key(event);
        const last = (this.places?.length ?? 0) - 1;
        /** @type {Record<string, number>} */
        const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: last };
        if (event.key in to && last >= 0) {
            event.preventDefault();
            this.at = Math.max(0, Math.min(last, to[event.key]));
            this.showValues();
        } else if (event.key === "Enter") {
            this.choose();
        }
    }

    choose() {
        if (this.pick && this.places && this.at >= 0 && this.at < this.places.length) {
            this.pick(this.places[this.at]);
        }
    }

    showValues() {
        if (!this.places || !this.scales || !this.known) {
            return;
        }
        const place = this.places[this.at];
        const { x, y } = this.scales;
        this.svg.selectAll(".hover").remove();
        const format = this.y.time ? duration : number;
        /** @type {{text: string, y: number}[]} */
        const found = [];
        for (const { points, name, colour } of this.known) {
            // lines may have values at different x: use the last one at or before this x
            const i = d3.bisectRight(points.map((p) => p.x), place) - 1;
            if (i < 0 || (i === points.length - 1 && points[i].x < place && points.length > 1)) {
                continue;
            }
            const p = points[i];
            const high = p.high;
            const spread = high !== undefined && high !== null && p.y !== null ? ` ± ${format(high - p.y)}` : "";
            found.push({ text: `${name === "" ? "" : `${name}: `}${format(p.y ?? NaN)}${spread}`, y: p.y ?? 0 });
            this.svg.append("circle").attr("class", "hover").attr("cx", x(p.x)).attr("cy", y(p.y)).attr("r", 4)
                .style("fill", colour);
        }
        found.sort((a, b) => b.y - a.y);
        const most = 12;
        const lines = found.slice(0, most).map((f) => f.text);
        if (found.length > most) {
            lines.push(`and ${found.length - most} more`);
        }
        const bar = this.bars?.points.find((p) => p.x === place);
        if (this.bars && bar) {
            lines.push(`${this.bars.name}: ${number(bar.y)}`);
        }
        this.showTip(x(place), this.height / 2, { name: this.x.name?.(place) ?? valueOn(this.x, place), lines });
    }
}

/**
 * Points, with an optional diagonal for axes of the same quantity.
 *
 * @typedef {{x: number, y: number, radius?: number, faint?: boolean, tip: Tip, id?: {iteration: number, episode: number}}} Dot
 */
export class ScatterChart extends Chart {
    /**
     * @param {HTMLElement} host
     * @param {{height?: number, label: string, emptyText?: string, diagonal?: boolean, pick?: (dot: Dot) => void}} options
     */
    constructor(host, options) {
        super(host, { height: options.height ?? 240, label: options.label });
        this.emptyText = options.emptyText ?? "No data yet";
        this.diagonal = options.diagonal ?? false;
        this.pick = options.pick;
        /** @type {Dot[]} */
        this.dots = [];
        /** @type {Axis} */
        this.x = { label: "" };
        /** @type {Axis} */
        this.y = { label: "" };
        this.at = -1;
        this.svg.on("pointermove", (/** @type {PointerEvent} */ event) => this.point(event));
        this.svg.on("click", () => this.choose());
    }

    /** @param {{dots: Dot[], x: Axis, y: Axis}} data */
    update({ dots, x, y }) {
        this.updated = true;
        const selected = this.dots[this.at]?.id;
        this.dots = dots.filter((dot) => Number.isFinite(dot.x) && Number.isFinite(dot.y));
        // from left to right, the order of the arrow keys
        this.dots.sort((a, b) => Number(b.faint ?? false) - Number(a.faint ?? false) || a.x - b.x);
        this.x = x;
        this.y = y;
        // new data must not take away what somebody has just selected
        this.at = this.dots.findIndex((dot) => selected !== undefined
            && dot.id?.iteration === selected.iteration && dot.id?.episode === selected.episode);
        this.redraw();
        if (this.at >= 0) {
            this.showValues();
        } else {
            this.hideTip();
        }
    }

    draw() {
        if (this.dots.length === 0) {
            this.empty(this.updated ? this.emptyText : "Loading …");
            return;
        }
        const xs = this.dots.map((dot) => dot.x);
        const ys = this.dots.map((dot) => dot.y);
        const both = xs.concat(ys);
        const range = (/** @type {number[]} */ of, /** @type {Axis} */ axis) =>
            padded(Math.min(...of), Math.max(...of), axis, 0.06);
        const x = d3.scaleLinear().domain(range(this.diagonal ? both : xs, this.x));
        const y = d3.scaleLinear().domain(range(this.diagonal ? both : ys, this.y));
        const box = this.frame(x, y, this.x, this.y);
        this.scales = { x, y };
        if (this.diagonal) {
            const [low, high] = x.domain();
            this.svg.append("line").attr("class", "diagonal").attr("x1", x(low)).attr("y1", y(low))
                .attr("x2", x(high)).attr("y2", y(high));
            this.svg.append("text").attr("class", "diagonal-label").attr("x", box.right - 4).attr("y", box.bottom - 6)
                .attr("text-anchor", "end").text("on the line: as predicted");
        }
        this.svg.selectAll("circle.dot").data(this.dots).join("circle")
            .attr("class", (/** @type {Dot} */ dot) => (dot.faint ? "dot faint" : "dot"))
            .attr("cx", (/** @type {Dot} */ dot) => x(dot.x)).attr("cy", (/** @type {Dot} */ dot) => y(dot.y))
            .attr("r", (/** @type {Dot} */ dot) => dot.radius ?? 4);
    }

    /** @param {PointerEvent} event */
    point(event) {
        if (!this.scales || this.dots.length === 0) {
            return;
        }
        const [px, py] = d3.pointer(event, this.svg.node());
        const { x, y } = this.scales;
        const distance = (/** @type {Dot} */ dot) => Math.hypot(x(dot.x) - px, y(dot.y) - py);
        this.at = d3.minIndex(this.dots, distance);
        if (distance(this.dots[this.at]) < 40) {
            this.showValues();
        } else {
            this.at = -1;
            this.hideTip();
        }
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        super.key(event);
        const last = this.dots.length - 1;
        /** @type {Record<string, number>} */
        const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: last };
        if (event.key in to && last >= 0) {
            event.preventDefault();
            this.at = Math.max(0, Math.min(last, to[event.key]));
            this.showValues();
        } else if (event.key === "Enter") {
            this.choose();
        }
    }

    choose() {
        if (this.pick && this.at >= 0) {
            this.pick(this.dots[this.at]);
        }
    }

    showValues() {
        const dot = this.dots[this.at];
        if (!dot || !this.scales) {
            return;
        }
        const { x, y } = this.scales;
        this.svg.selectAll(".hover").remove();
        this.svg.append("circle").attr("class", "hover ring").attr("cx", x(dot.x)).attr("cy", y(dot.y))
            .attr("r", (dot.radius ?? 4) + 3);
        this.showTip(x(dot.x), y(dot.y), dot.tip);
    }
}

/** Parts of a whole over x, as stacked bars. Bars that would be too thin are averaged. */
export class StackedBars extends Chart {
    /**
     * @param {HTMLElement} host
     * @param {{height?: number, label: string, emptyText?: string, pick?: (x: number) => void}} options
     */
    constructor(host, options) {
        super(host, { height: options.height ?? 220, label: options.label });
        this.emptyText = options.emptyText ?? "No data yet";
        this.pick = options.pick;
        /** @type {{name: string, colour: string}[]} */
        this.parts = [];
        /** @type {{x: number, values: number[]}[]} */
        this.bars = [];
        /** @type {Axis} */
        this.x = { label: "" };
        /** @type {Axis} */
        this.y = { label: "" };
        this.at = -1;
        /** @type {{from: number, to: number, values: number[]}[]} */
        this.shown = [];
        this.svg.on("pointermove", (/** @type {PointerEvent} */ event) => this.point(event));
        this.svg.on("click", () => this.choose());
        this.svg.classed("picks", Boolean(this.pick));
    }

    /** Selects the last x of the bar under the pointer or the keys. */
    choose() {
        const bar = this.shown[this.at];
        if (this.pick && bar) {
            this.pick(bar.to);
        }
    }

    /**
     * @param {{parts: {name: string, colour: string}[], bars: {x: number, values: number[]}[], x: Axis, y: Axis}} data
     */
    update({ parts, bars, x, y }) {
        this.updated = true;
        this.parts = parts;
        this.bars = bars;
        this.x = x;
        this.y = y;
        this.redraw();
    }

    draw() {
        if (this.bars.length === 0) {
            this.shown = [];
            this.empty(this.updated ? this.emptyText : "Loading …");
            return;
        }
        const most = Math.max(8, Math.floor((this.host.clientWidth - 70) / 9));
        const group = Math.ceil(this.bars.length / most);
        this.shown = d3.range(0, this.bars.length, group).map((/** @type {number} */ from) => {
            const some = this.bars.slice(from, from + group);
            return {
                from: some[0].x,
                to: some[some.length - 1].x,
                values: this.parts.map((_, i) => d3.mean(some, (/** @type {{values: number[]}} */ bar) => bar.values[i])),
            };
        });
        const shown = this.shown;
        const first = this.bars[0].x - 0.5;
        const x = d3.scaleLinear().domain([first, Math.max(first + 8, this.bars[this.bars.length - 1].x + 0.5)]);
        const y = d3.scaleLinear().domain([0, d3.max(shown, (/** @type {{values: number[]}} */ bar) => d3.sum(bar.values)) || 1]);
        if (this.y.time) {
            const step = timeStep(y.domain()[1] / 4);
            y.domain([0, step * Math.ceil(y.domain()[1] / step)]);
        } else {
            y.nice(4);
        }
        this.frame(x, y, this.x, this.y);
        this.scales = { x, y };
        for (const bar of shown) {
            let sum = 0;
            const left = x(bar.from - 0.5);
            const width = Math.max(1, x(bar.to + 0.5) - left - 1.5);
            bar.values.forEach((value, i) => {
                if (value > 0) {
                    this.svg.append("rect").attr("class", "part").attr("x", left).attr("width", width)
                        .attr("y", y(sum + value)).attr("height", Math.max(0, y(sum) - y(sum + value)))
                        .style("fill", this.parts[i].colour);
                }
                sum += value;
            });
        }
    }

    /** @param {PointerEvent} event */
    point(event) {
        if (!this.scales || !this.shown.length) {
            return;
        }
        const [px] = d3.pointer(event, this.svg.node());
        const wanted = this.scales.x.invert(px);
        this.at = this.shown.findIndex((bar) => wanted <= bar.to + 0.5);
        if (this.at < 0) {
            this.hideTip();
        } else {
            this.showValues();
        }
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        super.key(event);
        const last = (this.shown.length ?? 0) - 1;
        /** @type {Record<string, number>} */
        const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: last };
        if (event.key in to && last >= 0) {
            event.preventDefault();
            this.at = Math.max(0, Math.min(last, to[event.key]));
            this.showValues();
        } else if (event.key === "Enter") {
            this.choose();
        }
    }

    showValues() {
        const bar = this.shown[this.at];
        if (!bar || !this.scales) {
            return;
        }
        const { x, y } = this.scales;
        const total = d3.sum(bar.values);
        const format = this.y.time ? duration : number;
        const left = x(bar.from - 0.5);
        this.svg.selectAll(".hover").remove();
        this.svg.append("rect").attr("class", "hover outline").attr("x", left - 1).attr("y", y(total) - 1)
            .attr("width", Math.max(1, x(bar.to + 0.5) - left - 1.5) + 2).attr("height", y(0) - y(total) + 1);
        const lines = this.parts.map((part, i) => ({ text: `${part.name}: ${format(bar.values[i])}`, value: bar.values[i] }))
            .filter((part) => part.value > 0).sort((a, b) => b.value - a.value).map((part) => part.text);
        const span = bar.from === bar.to ? `${this.x.label} ${bar.from}` : `${this.x.label}s ${bar.from}–${bar.to}, mean`;
        this.showTip((left + x(bar.to + 0.5)) / 2, this.height / 2, { name: `${span}: ${format(total)}`, lines });
    }
}

/**
 * A value on an axis in words: "reward evaluations 3".
 *
 * @param {Axis} axis
 * @param {number} value
 * @returns {string}
 */
export function valueOn(axis, value) {
    return `${axis.label} ${axis.time ? duration(value) : number(axis.whole ? Math.floor(value) : value)}`;
}

/**
 * Draws a line's symbol.
 *
 * @param {any} into
 * @param {number} marker
 * @param {string} colour
 * @param {number} x
 * @param {number} y
 */
function symbol(into, marker, colour, x, y) {
    const hollow = marker % (2 * SYMBOLS.length) >= SYMBOLS.length;
    into.append("path").attr("class", "symbol").attr("d", d3.symbol(SYMBOLS[marker % SYMBOLS.length], SYMBOL_AREA)())
        .attr("transform", `translate(${x},${y})`).style("fill", hollow ? "var(--paper)" : colour)
        .style("stroke", hollow ? colour : "var(--paper)");
}

/**
 * The points that get a symbol. Lines start at different places, so that symbols of lines that coincide do not.
 *
 * @param {LinePoint[]} points
 * @param {(p: LinePoint) => number} x in pixels
 * @param {number} marker
 * @returns {LinePoint[]}
 */
function spaced(points, x, marker) {
    /** @type {LinePoint[]} */
    const chosen = [];
    if (points.length === 0) {
        return chosen;
    }
    const first = x(points[0]);
    const spacing = Math.min(SYMBOL_SPACING, (x(points[points.length - 1]) - first) / 3);
    let next = first + spacing * ((0.25 + 0.382 * marker) % 1);
    for (const [i, p] of points.entries()) {
        if (x(p) >= next || (i === points.length - 1 && chosen.length === 0)) {
            chosen.push(p);
            next = x(p) + spacing;
        }
    }
    return chosen;
}

/**
 * A legend: swatches of lines or areas with their names.
 *
 * @param {{name: string, colour: string, dash?: string, width?: number, marker?: number, note?: string}[]} entries
 * @param {"line" | "area"} kind
 * @returns {HTMLElement}
 */
export function legend(entries, kind) {
    return element("ul", { class: "legend" }, ...entries.map(({ name, colour, dash, width, marker, note }) => {
        const svg = d3.create("svg").attr("class", "swatch").attr("width", kind === "line" ? SWATCH : 12).attr("height", 12)
            .attr("aria-hidden", "true");
        if (kind === "line") {
            svg.append("line").attr("x1", 0).attr("x2", SWATCH).attr("y1", 6).attr("y2", 6).style("stroke", colour)
                .attr("stroke-width", width ?? 2).attr("stroke-dasharray", dash ?? null);
            if (marker !== undefined) {
                symbol(svg, marker, colour, SWATCH / 2, 6);
            }
        } else {
            svg.append("rect").attr("width", 12).attr("height", 12).attr("rx", 2).style("fill", colour);
        }
        return element("li", {}, svg.node(), element("span", {}, name), note ? element("small", {}, note) : null);
    }));
}

/**
 * @param {any} scale
 * @param {Axis} axis
 * @param {number} count
 * @returns {number[]}
 */
function ticks(scale, axis, count) {
    if (axis.log) {
        const all = scale.ticks(count);
        const tidy = all.filter((/** @type {number} */ t) => [1, 2, 5].includes(Math.round(t / 10 ** Math.floor(Math.log10(t) + 1e-9))));
        const tens = tidy.filter((/** @type {number} */ t) => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
        const chosen = tidy.length <= count + 1 || tens.length < 2 ? tidy : tens;
        return chosen.length > 1 ? chosen : all;
    }
    if (axis.time) {
        const [from, to] = scale.domain();
        const step = timeStep((to - from) / count);
        return d3.range(Math.ceil(from / step), Math.floor(to / step + 1e-9) + 1).map((/** @type {number} */ i) => i * step);
    }
    const all = scale.ticks(count);
    return axis.whole ? all.filter(Number.isInteger) : all;
}

/**
 * The smallest round step between time ticks that is at least this long: decimal up to a second, then clock units.
 *
 * @param {number} least seconds
 * @returns {number}
 */
export function timeStep(least) {
    const clock = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
    const power = 10 ** Math.floor(Math.log10(least));
    const decimal = (/** @type {number} */ unit) => unit * ([1, 2, 5].find((digit) => digit * unit >= least * (1 - 1e-9)) ?? 10);
    if (least <= 0.5) {
        return decimal(power);
    }
    return clock.find((step) => step >= least) ?? 86400 * Math.ceil(least / 86400);
}

/** @param {number} seconds */
function tickTime(seconds) {
    return seconds === 0 ? "0" : duration(seconds);
}

/**
 * @param {number} low
 * @param {number} high
 * @param {Axis} axis
 * @param {number} [share] fraction of the range that is left free at both ends
 * @returns {[number, number]}
 */
function padded(low, high, axis, share = 0) {
    if (axis.log) {
        return low === high ? [low / 2, high * 2] : [low / 1.15, high * 1.15];
    }
    const from = axis.zero ? Math.min(0, low) : low;
    const to = axis.zero ? Math.max(0, high) : high;
    const margin = from === to ? Math.abs(from) * 0.1 || 1 : (to - from) * share;
    return [from - margin, to + margin];
}

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** @param {string} text */
function textWidth(text) {
    ruler ??= document.createElement("canvas").getContext("2d");
    if (!ruler) {
        return text.length * 7;
    }
    ruler.font = `${TEXT}px system-ui, sans-serif`;
    return ruler.measureText(text).width;
}
