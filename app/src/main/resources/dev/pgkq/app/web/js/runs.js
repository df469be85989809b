// @ts-check
/** The list of runs, and charts that compare the ticked ones. */
import { listAdvisers } from "./advisers.js";
import { get } from "./api.js";
import { AGAINST, DEFAULT_AGAINST } from "./curves.js";
import { byId, choice, element } from "./dom.js";
import { ago, number } from "./format.js";
import { ComparisonPanels } from "./panels.js";
import { link, pill, progress, showError } from "./parts.js";
import { Feed, Rows } from "./sse.js";
import { isControl } from "./variants.js";

/**
 * @typedef {import("./parts.js").Run} Run
 * @typedef {import("./curves.js").Against} Against
 */

/** Refreshes values without events, such as the time since an update. */
const LIST_SECONDS = 20;
const REDRAW_MILLISECONDS = 100;
const MOST_LINES = 30;
/** The limit of the server. */
const MOST_WATCHED = 64;
const SHOWN_BY_DEFAULT = 6;

/** @type {{key: string, label: string, of: (run: Run) => string | number | null, number?: boolean}[]} */
const COLUMNS = [
    { key: "name", label: "Run", of: (run) => run.name },
    { key: "state", label: "State", of: (run) => run.state },
    { key: "task", label: "Task", of: (run) => run.task },
    { key: "algorithm", label: "Algorithm", of: (run) => run.algorithm },
    { key: "iteration", label: "Iteration", of: (run) => run.iteration, number: true },
    { key: "return", label: "Return", of: (run) => run.return, number: true },
    { key: "rewards", label: "Rewards paid", of: (run) => run.rewardEvaluations, number: true },
    { key: "cost", label: "Cost", of: (run) => run.cost, number: true },
    { key: "updated", label: "Updated", of: (run) => new Date(run.updated ?? 0).getTime(), number: true },
];

class RunsPage {
    constructor() {
        /** @type {Map<string, Run>} */
        this.runs = new Map();
        /** @type {Map<string, Rows>} */
        this.rows = new Map();
        /** @type {Map<string, HTMLTableRowElement>} */
        this.lines = new Map();
        const state = new URLSearchParams(location.hash.slice(1));
        /** @type {Set<string>} */
        this.ticked = new Set(state.getAll("run"));
        /** Whether the user chose the runs to compare. */
        this.chosenByUser = state.has("run");
        /** @type {Against} */
        this.against = AGAINST.map(([key]) => key).find((key) => key === state.get("against")) ?? DEFAULT_AGAINST;
        this.sort = { key: "updated", up: false };
        this.filter = byId("filter");
        this.filter.value = state.get("filter") ?? "";
        /** @type {Feed | null} */
        this.feed = null;
        /** @type {string | null} */
        this.listening = null;
        this.redrawTimer = 0;
        /** The number of advisers in the folder. */
        this.advisers = 0;
        this.panels = new ComparisonPanels(byId("chart"));
        byId("against").append(choice("Horizontal axis of the curves", AGAINST, this.against, (value) => {
            this.against = value;
            this.remember();
            this.draw();
        }).element);
        this.filter.addEventListener("input", () => {
            this.remember();
            this.list();
        });
        byId("untick-all").addEventListener("click", () => {
            this.ticked.clear();
            this.chosenByUser = true;
            this.compare();
        });
        this.head();
    }

    async start() {
        await this.refresh();
        window.setInterval(() => {
            if (document.visibilityState === "visible") {
                this.refresh().catch(() => {});
            }
        }, LIST_SECONDS * 1000);
    }

    /** Stores the selection in the address, so that it can be shared. */
    remember() {
        const state = new URLSearchParams();
        if (this.chosenByUser) {
            this.ticked.forEach((id) => state.append("run", id));
        }
        if (this.against !== DEFAULT_AGAINST) {
            state.set("against", this.against);
        }
        if (this.filter.value !== "") {
            state.set("filter", this.filter.value);
        }
        history.replaceState(null, "", `#${state}`);
    }

    /** Redraws after a short delay, because many events arrive at once when a stream starts. */
    redrawSoon() {
        window.clearTimeout(this.redrawTimer);
        this.redrawTimer = window.setTimeout(() => this.show(), REDRAW_MILLISECONDS);
    }

    async refresh() {
        try {
            /** @type {Run[]} */
            const all = await get("/api/runs");
            this.runs = new Map(all.map((run) => [run.id, run]));
            this.advisers = await listAdvisers();
            showError(null);
        } catch (error) {
            showError(error);
            return;
        }
        this.show();
    }

    show() {
        byId("empty").hidden = this.runs.size > 0 || this.advisers > 0;
        byId("content").hidden = this.runs.size === 0;
        if (!this.chosenByUser && this.ticked.size === 0) {
            this.chooseDefault();
        }
        this.list();
        this.compare();
    }

    /** By default, compares the newest run with the newest of each other algorithm on the same task, controls last. */
    chooseDefault() {
        const newest = [...this.runs.values()].filter((run) => run.iteration).sort((a, b) => updatedAt(b) - updatedAt(a));
        if (newest.length === 0) {
            return;
        }
        const same = newest.filter((run) => run.task === newest[0].task && run.reward === newest[0].reward);
        const first = same.filter((run, i) => same.findIndex((other) => other.algorithm === run.algorithm) === i);
        first.sort((a, b) => Number(b === newest[0]) - Number(a === newest[0])
            || Number(isControl(a.algorithm)) - Number(isControl(b.algorithm)));
        this.ticked = new Set(first.slice(0, SHOWN_BY_DEFAULT).map((run) => run.id));
    }

    head() {
        const row = byId("head");
        for (const column of COLUMNS) {
            const button = element("button", { type: "button", click: () => {
                this.sort = { key: column.key, up: this.sort.key === column.key ? !this.sort.up : !column.number };
                this.list();
            } }, column.label);
            row.append(element("th", { scope: "col", "data-key": column.key, class: column.number ? "number" : null },
                button));
        }
    }

    /** The runs that pass the filter, in order. */
    shown() {
        const words = this.filter.value.toLowerCase().split(/\s+/).filter((/** @type {string} */ w) => w !== "");
        const column = COLUMNS.find(({ key }) => key === this.sort.key) ?? COLUMNS[0];
        const direction = this.sort.up ? 1 : -1;
        return [...this.runs.values()]
            .filter((run) => {
                const text = [run.name, run.task, run.algorithm, run.state, run.reward, `seed ${run.seed}`].join(" ")
                    .toLowerCase();
                return words.every((/** @type {string} */ word) => text.includes(word));
            })
            .sort((a, b) => direction * compareValues(column.of(a), column.of(b)) || compareValues(a.name, b.name));
    }

    list() {
        const shown = this.shown();
        for (const head of byId("head").children) {
            const own = head.getAttribute("data-key") === this.sort.key;
            head.setAttribute("aria-sort", own ? (this.sort.up ? "ascending" : "descending") : "none");
        }
        const body = byId("body");
        const rows = shown.map((run) => this.line(run));
        // do not move rows that are in place: they keep the focus
        rows.forEach((row, i) => {
            if (body.children[i] !== row) {
                body.insertBefore(row, body.children[i] ?? null);
            }
        });
        while (body.children.length > rows.length) {
            body.lastElementChild.remove();
        }
        const running = [...this.runs.values()].filter((run) => run.state === "running" || run.state === "waiting");
        const all = `${number(this.runs.size)} ${this.runs.size === 1 ? "run" : "runs"}`;
        byId("count").textContent = (shown.length < this.runs.size ? `${number(shown.length)} of ${all}` : all)
            + (running.length > 0 ? `, ${running.length} running` : "");
        byId("no-match").hidden = shown.length > 0;
        byId("runs-table").classList.toggle("no-cost", [...this.runs.values()].every((run) => run.cost === null
            || run.cost === undefined));
    }

    /**
     * The table row of a run, created once and then updated.
     *
     * @param {Run} run
     * @returns {HTMLTableRowElement}
     */
    line(run) {
        let row = this.lines.get(run.id);
        if (!row) {
            const tick = element("input", { type: "checkbox", "aria-label": `Compare ${run.name}`, change: () => {
                if (tick.checked) {
                    this.ticked.add(run.id);
                } else {
                    this.ticked.delete(run.id);
                }
                this.chosenByUser = true;
                this.compare();
            } });
            row = element("tr", {}, element("td", { class: "tick" }, tick),
                ...COLUMNS.map((column) => element(column.key === "name" ? "th" : "td", {
                    class: `${column.number ? "number" : ""} of-${column.key}`,
                    scope: column.key === "name" ? "row" : null,
                    "data-label": column.label,
                })));
            this.lines.set(run.id, /** @type {HTMLTableRowElement} */ (row));
            row?.children[1].append(element("a", { href: link(run) }, ...breakable(run.name)));
        }
        const tableRow = /** @type {HTMLTableRowElement} */ (row);
        const cells = [...tableRow.children];
        /** @type {HTMLInputElement} */ (cells[0].firstElementChild).checked = this.ticked.has(run.id);
        /** @type {(string | Node)[]} */
        const values = [
            pill(run.state),
            run.task || "–",
            run.algorithm || "–",
            progress(run),
            returnCell(run),
            number(run.rewardEvaluations),
            number(run.cost),
            ago(run.updated),
        ];
        values.forEach((value, i) => cells[i + 2].replaceChildren(value));
        return tableRow;
    }

    /** Reads ticked runs that are not loaded yet, and subscribes to events. */
    compare() {
        for (const [id, row] of this.lines) {
            /** @type {HTMLInputElement} */ (row.children[0].firstElementChild).checked = this.ticked.has(id);
        }
        this.remember();
        const wanted = this.compared().map((run) => run.id);
        for (const id of wanted) {
            if (!this.rows.has(id)) {
                const rows = new Rows(id, () => this.draw());
                this.rows.set(id, rows);
                rows.read().catch(showError);
            }
        }
        this.draw();
        const running = [...this.runs.values()].filter((run) => run.state === "running" || run.state === "waiting")
            .map((run) => run.id);
        const listen = [...new Set([...wanted, ...running])].slice(0, MOST_WATCHED).sort();
        if (listen.join() !== this.listening) {
            this.listening = listen.join();
            this.listen(listen);
        }
    }

    compared() {
        return this.shownOrAll().filter((run) => this.ticked.has(run.id)).slice(0, MOST_LINES);
    }

    /** All runs in a fixed order, so that colours do not change. */
    shownOrAll() {
        return [...this.runs.values()].sort((a, b) => compareValues(a.name, b.name));
    }

    /** @param {string[]} ids */
    listen(ids) {
        this.feed?.close();
        const status = byId("link");
        this.feed = new Feed(ids, (id) => this.rows.get(id)?.rows.length ?? 0, {
            row: ({ run, seq, row }) => this.rows.get(run)?.add(seq, row),
            reset: ({ run }) => this.rows.get(run)?.readAgain(),
            state: (/** @type {Run & {run: string}} */ changed) => {
                const known = this.runs.get(changed.run);
                this.runs.set(changed.run, { ...known, ...changed, id: changed.run });
                this.redrawSoon();
            },
            gone: ({ run }) => {
                this.runs.delete(run);
                this.ticked.delete(run);
                this.redrawSoon();
            },
        }, (state) => {
            status.dataset.link = state;
            status.textContent = state === "live" ? "live" : `${state}…`;
        }, () => {
            this.refresh().catch(() => {});
        }, true);
    }

    draw() {
        const runs = this.compared();
        this.panels.update(runs, (run) => this.rows.get(run.id), this.against);
        byId("note").textContent = runs.length === 0 ? "Tick runs in the list to compare them."
            : this.ticked.size > MOST_LINES ? `Only ${MOST_LINES} runs are drawn.` : "";
        byId("untick-all").disabled = this.ticked.size === 0;
    }
}

/**
 * A path with optional line breaks after its slashes.
 *
 * @param {string} name
 * @returns {(string | Node)[]}
 */
function breakable(name) {
    return name.split(/(?<=\/)/).flatMap((part, i) => (i === 0 ? [part] : [element("wbr"), part]));
}

/**
 * The return of a run, and below it that by the task's own reward if the run trains on another.
 *
 * @param {Run} run
 */
function returnCell(run) {
    return element("span", { class: "returns" }, element("span", {}, number(run.return)),
        typeof run.taskReturn === "number" ? element("small", {}, `task's own ${number(run.taskReturn)}`) : null);
}

/** @param {Run} run */
function updatedAt(run) {
    return new Date(run.updated ?? 0).getTime();
}

/**
 * @param {string | number | null | undefined} a
 * @param {string | number | null | undefined} b
 * @returns {number}
 */
function compareValues(a, b) {
    if (typeof a === "number" && typeof b === "number") {
        return a - b;
    }
    if (a === null || a === undefined || b === null || b === undefined) {
        return Number(a !== null && a !== undefined) - Number(b !== null && b !== undefined);
    }
    return String(a).localeCompare(String(b), "en", { numeric: true });
}

new RunsPage().start().catch(showError);
