// @ts-check
/** The learning curve of a run: the return by the reward that it trains on and, if that one is external, by the task's own. */
import { LineChart, valueOn } from "./chart.js";
import { AGAINST, DEFAULT_AGAINST, TASK_REWARD, axis, hasTaskReward, positions, returnColumn, returnLabel, returns } from "./curves.js";
import { byId, choice } from "./dom.js";
import { noIterations } from "./parts.js";
import { lineStyle } from "./variants.js";

/** @typedef {import("./curves.js").Against} Against */

export class LearningCurve {
    /**
     * @param {import("./sse.js").Rows} rows
     * @param {(iteration: number) => void} goTo
     */
    constructor(rows, goTo) {
        this.rows = rows;
        /** @type {Against} */
        this.against = DEFAULT_AGAINST;
        /** @type {import("./parts.js").Run | null} */
        this.run = null;
        /** The displayed iteration. @type {number | null} */
        this.shown = null;
        const pick = (/** @type {number} */ x) => goTo(this.iterationAt(x));
        this.chart = new LineChart(byId("curve"), { height: 280, label: "Learning curve: mean return", pick });
        this.task = new LineChart(byId("task-curve"), { height: 170, label: `Mean return by ${TASK_REWARD}`, pick });
        byId("against").append(choice("Horizontal axis of the curve", AGAINST, this.against, (value) => {
            this.against = value;
            this.draw();
        }).element);
    }

    /** @param {number} x */
    iterationAt(x) {
        return this.rows.column("iteration")[positions(this.rows, this.against).indexOf(x)] ?? NaN;
    }

    /** @param {import("./parts.js").Run} run */
    update(run) {
        this.run = run;
        this.chart.emptyText = noIterations(run);
        this.task.emptyText = noIterations(run);
        this.draw();
    }

    draw() {
        const external = Boolean(this.run?.external);
        const withTask = external && hasTaskReward(this.rows);
        byId("task-curve-part").hidden = !withTask;
        const own = { ...lineStyle(this.run?.algorithm ?? ""), dash: undefined, band: 0.22, name: "",
            points: returns(this.rows, this.against, returnColumn(this.run)) };
        this.drawOne(this.chart, own, returnLabel(this.run));
        if (withTask) {
            const task = { colour: "var(--control-dark)", width: 2, band: 0.16, name: "", points: returns(this.rows, this.against, "return_mean") };
            this.drawOne(this.task, task, "mean return ± standard error");
        }
        const paid = this.rows.column("reward_evaluations");
        byId("curve-note").hidden = this.against !== "rewards" || !paid.some((count, i) => count !== null && count === paid[i + 1]);
    }

    /**
     * @param {LineChart} chart
     * @param {import("./chart.js").Line} line
     * @param {string} label
     */
    drawOne(chart, line, label) {
        const x = axis(this.against, [line]);
        const name = (/** @type {number} */ at) => `${valueOn(x, at)}, iteration ${this.iterationAt(at)}`;
        chart.update({ lines: [line], x: this.against === "iteration" ? x : { ...x, name }, y: { label }, mark: this.position() });
    }

    /** @param {number} iteration the displayed one */
    setShown(iteration) {
        this.shown = iteration;
        this.chart.setMark(this.position());
        this.task.setMark(this.position());
    }

    /** The position of the displayed iteration in the curve; null while it is in progress. */
    position() {
        const at = this.rows.column("iteration").indexOf(this.shown);
        return this.shown !== null && at >= 0 ? positions(this.rows, this.against)[at] : null;
    }
}
