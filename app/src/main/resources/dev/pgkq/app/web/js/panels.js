// @ts-check
/** The comparison of runs: a panel for each task and reward, because returns of different ones cannot be compared. */
import { LineChart, legend } from "./chart.js";
import { axis, returnColumn, returnLabel, returns } from "./curves.js";
import { element } from "./dom.js";
import { lineStyles } from "./variants.js";

/**
 * @typedef {import("./parts.js").Run} Run
 * @typedef {import("./curves.js").Against} Against
 * @typedef {{section: HTMLElement, title: HTMLElement, chart: LineChart, legend: HTMLElement}} Panel
 */

const HEIGHT = 320;
/** Lines from which on bands are paler. */
const MANY = 8;

export class ComparisonPanels {
    /** @param {HTMLElement} host */
    constructor(host) {
        this.host = host;
        /** By task and reward. @type {Map<string, Panel>} */
        this.panels = new Map();
    }

    /**
     * @param {Run[]} runs
     * @param {(run: Run) => import("./sse.js").Rows | undefined} rowsOf
     * @param {Against} against
     */
    update(runs, rowsOf, against) {
        /** @type {Map<string, Run[]>} */
        const groups = new Map();
        for (const run of runs) {
            const key = JSON.stringify([run.task, run.reward]);
            groups.set(key, [...(groups.get(key) ?? []), run]);
        }
        for (const [key, panel] of this.panels) {
            if (!groups.has(key)) {
                panel.section.remove();
                this.panels.delete(key);
            }
        }
        this.host.classList.toggle("several", groups.size > 1);
        [...groups.keys()].sort().forEach((key, i) => {
            const panel = this.panel(key);
            if (this.host.children[i] !== panel.section) {
                this.host.insertBefore(panel.section, this.host.children[i] ?? null);
            }
            draw(panel, groups.get(key) ?? [], rowsOf, against);
        });
    }

    /** @param {string} key */
    panel(key) {
        let panel = this.panels.get(key);
        if (!panel) {
            const title = element("h3");
            const chart = element("div");
            const names = element("div");
            const section = element("section", { class: "comparison" }, title, chart, names);
            this.host.append(section);
            panel = { section, title, chart: new LineChart(chart, { height: HEIGHT, label: "" }), legend: names };
            this.panels.set(key, panel);
        }
        return panel;
    }
}

/**
 * @param {Panel} panel
 * @param {Run[]} runs of one task and reward
 * @param {(run: Run) => import("./sse.js").Rows | undefined} rowsOf
 * @param {Against} against
 */
function draw({ title, chart, legend: names }, runs, rowsOf, against) {
    const [first] = runs;
    const styles = lineStyles(runs.map((run) => run.algorithm));
    const lines = runs.map((run, i) => {
        const rows = rowsOf(run);
        return {
            ...styles[i],
            band: runs.length > MANY ? styles[i].band / 2 : styles[i].band,
            name: name(run, runs),
            points: rows ? returns(rows, against, returnColumn(run)) : [],
        };
    });
    const reward = !first.reward || first.reward === "builtin" ? null : ` reward ${first.reward}`;
    title.replaceChildren(first.task || "Unknown task", reward === null ? "" : element("small", {}, reward));
    chart.svg.attr("aria-label", `Mean return of the ticked runs on ${first.task}`);
    chart.update({ lines, x: axis(against, lines), y: { label: returnLabel(first) } });
    names.replaceChildren(legend(lines, "line"));
}

/**
 * A short name that distinguishes a run from the others in the panel.
 *
 * @param {Run} run
 * @param {Run[]} among
 */
function name(run, among) {
    if (among.some((other) => other !== run && other.algorithm === run.algorithm && other.seed === run.seed)) {
        return run.name;
    }
    return new Set(among.map((other) => other.seed)).size > 1 ? `${run.algorithm}, seed ${run.seed}` : run.algorithm;
}
