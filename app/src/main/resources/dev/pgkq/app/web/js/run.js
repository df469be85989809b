// @ts-check
/** The page of one run. */
import { get, session } from "./api.js";
import { LineChart, StackedBars, legend } from "./chart.js";
import { TASK_REWARD, hasTaskReward, returnColumn } from "./curves.js";
import { byId, choice, element } from "./dom.js";
import { ForecastCharts } from "./forecast.js";
import { counted, duration, number, percent } from "./format.js";
import { LearningCurve } from "./learning.js";
import { Ledger } from "./ledger.js";
import { EpisodeMap, knownReturns } from "./map.js";
import { noIterations, pill, progress, showError } from "./parts.js";
import { PredictedChart, REMEMBERED } from "./predicted.js";
import { remainingText } from "./remaining.js";
import { Feed, Rows } from "./sse.js";
import { explainTerms } from "./terms.js";
import { EpisodeViewer } from "./viewer.js";

/**
 * @typedef {import("./parts.js").Run & {config: Record<string, string>, events: Record<string, unknown>[]}} RunDetails
 * @typedef {import("./map.js").Iteration} Iteration
 */

const DETAILS_SECONDS = 15;
const PLAY_MILLISECONDS = 700;
const TRACE_DELAY_MILLISECONDS = 150;
/** The replay follows the slider after this pause, so that it does not load what is passed by. */
const REPLAY_DELAY_MILLISECONDS = 200;
const CACHED = 200;
/** In the order of the pipeline. Colours are defined in style.css. */
const STAGES = ["sample", "select", "reward", "advantage", "policy", "fit", "learn", "monitor"];

class RunPage {
    /** @param {string} id */
    constructor(id) {
        this.id = id;
        this.base = `/api/runs/${encodeURIComponent(id)}`;
        /** @type {RunDetails | null} */
        this.run = null;
        /** @type {number[]} */
        this.traced = [];
        /** @type {Map<number, Promise<Iteration>>} */
        this.iterations = new Map();
        this.shown = 0;
        this.follow = true;
        this.playing = 0;
        /** @type {import("./map.js").ColourBy} */
        this.by = "return";
        /** Iterations with new data. @type {Set<number>} */
        this.changed = new Set();
        this.traceTimer = 0;
        this.replayTimer = 0;
        this.rows = new Rows(id, () => this.drawRows());
        this.ledger = new Ledger(byId("ledger"));
        this.viewer = new EpisodeViewer(this.base, (iteration) => this.iteration(iteration), () => this.kindOfRewards(), () => this.markPlayed());
        this.buildCharts();
        this.buildSlider();
        explainTerms();
    }

    buildCharts() {
        const goTo = (/** @type {number} */ iteration) => this.go(iteration);
        this.curve = new LearningCurve(this.rows, goTo);
        this.map = new EpisodeMap(byId("map"), { pick: (episode) => this.viewer.play(episode, this.shown).catch(showError), legend: byId("ramp") });
        byId("close-up").addEventListener("change", () => {
            if (this.map) {
                this.map.closeUp = byId("close-up").checked;
                this.map.redraw();
            }
        });
        this.errors = new LineChart(byId("wce"), { height: 180, label: "Worst-case error of the choice and of a random choice",
            emptyText: "This algorithm has no kernel", pick: goTo });
        this.forecasts = new ForecastCharts(goTo);
        this.predicted = new PredictedChart((episode, iteration) => this.viewer.play(episode, iteration).catch(showError));
        this.kernel = new LineChart(byId("kernel"), { height: 150, label: "Scale and noise of the kernel, λ and σ",
            emptyText: "This run has no trained kernel", pick: goTo });
        this.time = new StackedBars(byId("time"), { height: 230, label: "Seconds per stage, by iteration", pick: goTo });
    }

    /** Offers colours for the map, whose names depend on the kind of reward. */
    buildColours() {
        this.colourChoice = choice("Colour of the episodes", [["return", this.run?.external ? "Your reward" : "Return"],
            ["predicted", "Predicted"], ["length", "Length"], ["task", "Task's own"]], this.by, (value) => {
            this.by = value;
            this.show(this.shown).catch(showError);
        });
        byId("colour").append(this.colourChoice.element);
    }

    /**
     * The colours that an iteration offers; the first is the default.
     *
     * @param {Iteration} data
     */
    colours(data) {
        const { external, hasReturns } = this.kindOfRewards();
        /** @type {[import("./map.js").ColourBy, boolean][]} */
        const all = [["return", !data.awaited && knownReturns(data, external).some((value) => value !== null)],
            ["predicted", Boolean(data.predicted)], ["length", true], ["task", !data.awaited && external && hasReturns]];
        return all.filter(([, known]) => known).map(([by]) => by);
    }

    buildSlider() {
        this.slider = byId("iteration");
        this.slider.addEventListener("input", () => {
            this.stop();
            this.setFollow(false);
            this.showWithReplay(this.traced[Number(this.slider.value)]);
        });
        this.playButton = byId("play");
        this.playButton.addEventListener("click", () => {
            if (this.playing) {
                this.stop();
            } else {
                this.start();
            }
        });
        this.followBox = byId("follow");
        this.followBox.addEventListener("change", () => {
            this.setFollow(this.followBox.checked);
            this.stop();
            this.showWithReplay(this.traced.at(-1));
        });
    }

    async open() {
        await this.readDetails();
        this.buildColours();
        await this.rows.read();
        this.readLedger();
        await this.readTrace();
        this.listen();
        window.setInterval(() => {
            if (this.isRunning()) {
                this.readDetails().catch(() => {});
            }
        }, DETAILS_SECONDS * 1000);
    }

    isRunning() {
        return this.run?.state === "running" || this.run?.state === "waiting";
    }

    async readDetails() {
        this.run = await get(this.base);
        byId("main").hidden = false;
        this.drawHeader();
        this.drawEvents();
        this.drawConfig();
    }

    /** Reads the ledger, if there is one: only external rewards have a ledger, and requesting a missing one is an error. */
    readLedger() {
        if (typeof this.run?.cost !== "number") {
            return;
        }
        get(`${this.base}/ledger`).then((ledger) => this.showLedger(ledger)).catch(() => this.showLedger(null));
    }

    /** @param {import("./ledger.js").Ledgers | null} ledger */
    showLedger(ledger) {
        byId("ledger-panel").hidden = ledger === null;
        byId("top").classList.toggle("single", ledger === null);
        if (ledger) {
            this.ledger.update(ledger);
        }
    }

    listen() {
        const status = byId("link");
        this.feed = new Feed([this.id], () => this.rows.rows.length, {
            row: ({ run, seq, row }) => {
                if (run === this.id) {
                    this.rows.add(seq, row);
                }
            },
            reset: () => this.rows.readAgain(),
            trace: ({ run, iteration }) => {
                if (run === this.id) {
                    this.traceArrived(iteration);
                }
            },
            state: (update) => {
                if (update.run === this.id && this.run) {
                    const changed = update.state !== this.run.state;
                    this.run = { ...this.run, ...update, id: this.id };
                    this.drawHeader();
                    if (changed) {
                        this.readDetails().then(() => this.drawRows()).catch(() => {});
                    }
                }
            },
            ledger: (update) => {
                if (update.run === this.id) {
                    this.showLedger(update);
                }
            },
        }, (link) => {
            status.dataset.link = link;
            status.textContent = link === "live" ? (this.isRunning() ? "live" : "connected") : `${link}…`;
        }, () => {
            this.readDetails().then(() => this.readLedger()).catch(() => {});
            this.readTrace().catch(() => {});
        });
    }

    /** @param {{iterations: number[], episodes: number[]}} trace */
    setTrace({ iterations, episodes }) {
        this.traced = iterations;
        this.viewer.kept = new Set(episodes);
        this.drawSlider();
        this.drawEvents();
    }

    /**
     * Handles new data of an iteration. It arrives twice: when its episodes are chosen, and when they are paid for. At the start
     * the data of all iterations arrive at once.
     *
     * @param {number} iteration
     */
    traceArrived(iteration) {
        this.changed.add(iteration);
        window.clearTimeout(this.traceTimer);
        this.traceTimer = window.setTimeout(() => this.readTrace().catch(() => {}), TRACE_DELAY_MILLISECONDS);
    }

    async readTrace() {
        this.changed.forEach((iteration) => this.iterations.delete(iteration));
        const again = this.changed.has(this.shown);
        this.changed.clear();
        const trace = await get(`${this.base}/trace`);
        this.setTrace(trace);
        if (trace.figure && !this.viewer.figure) {
            this.viewer.figure = await get(`${this.base}/figure`);
        }
        const last = this.traced.at(-1);
        if (this.follow && last !== undefined && last !== this.shown) {
            await this.show(last);
            if (this.viewer.isIdle()) {
                await this.viewer.showHeaviest(last);
            }
        } else if (again) {
            await this.show(this.shown);
            await (this.viewer.shown ? this.viewer.refresh() : this.viewer.showHeaviest(this.shown));
        }
    }

    drawSlider() {
        const none = this.traced.length === 0;
        byId("quadrature").classList.toggle("without", none);
        byId("no-trace").hidden = !none;
        byId("replay-panel").hidden = none;
        this.slider.max = String(Math.max(0, this.traced.length - 1));
        this.slider.disabled = this.traced.length < 2;
        this.playButton.disabled = this.traced.length < 2;
        const at = this.traced.indexOf(this.shown);
        if (at >= 0) {
            this.slider.value = String(at);
        }
    }

    /** @param {boolean} follow */
    setFollow(follow) {
        this.follow = follow;
        this.followBox.checked = follow;
    }

    /**
     * Goes to an iteration that somebody selected.
     *
     * @param {number} iteration
     */
    go(iteration) {
        if (this.traced.includes(iteration)) {
            this.stop();
            this.setFollow(iteration === this.traced.at(-1) && this.follow);
            this.showWithReplay(iteration);
        }
    }

    /**
     * Shows an iteration, and one of its episodes in the replay.
     *
     * @param {number | undefined} iteration
     */
    showWithReplay(iteration) {
        if (iteration !== undefined) {
            this.show(iteration).catch(showError);
            window.clearTimeout(this.replayTimer);
            this.replayTimer = window.setTimeout(() => this.viewer.showHeaviest(iteration).catch(showError), REPLAY_DELAY_MILLISECONDS);
        }
    }

    /** Marks the replayed episode in the map, if it is one of the displayed iteration. */
    markPlayed() {
        const played = this.viewer.shown;
        this.map?.mark(played?.iteration === this.shown ? played.episode : -1);
    }

    kindOfRewards() {
        return { external: Boolean(this.run?.external), hasReturns: hasTaskReward(this.rows) };
    }

    /** Plays through the iterations, from the start if the last one is shown. */
    start() {
        this.setFollow(false);
        if (this.shown === this.traced.at(-1)) {
            this.showWithReplay(this.traced[0]);
        }
        this.playing = window.setInterval(() => {
            const at = this.traced.indexOf(this.shown) + 1;
            if (at >= this.traced.length) {
                this.stop();
            } else {
                this.showWithReplay(this.traced[at]);
            }
        }, PLAY_MILLISECONDS);
        this.showPlaying();
    }

    stop() {
        window.clearInterval(this.playing);
        this.playing = 0;
        this.showPlaying();
    }

    showPlaying() {
        this.playButton.textContent = this.playing ? "❚❚" : "▶";
        this.playButton.setAttribute("aria-label", this.playing ? "Pause" : "Play through the iterations");
    }

    /**
     * @param {number} iteration
     * @returns {Promise<Iteration>}
     */
    iteration(iteration) {
        let known = this.iterations.get(iteration);
        if (!known) {
            known = get(`${this.base}/iterations/${iteration}`);
            known.catch(() => this.iterations.delete(iteration));
            this.iterations.set(iteration, known);
            if (this.iterations.size > CACHED) {
                this.iterations.delete([...this.iterations.keys()][0]);
            }
        }
        return known;
    }

    /**
     * Shows the map and the choice of an iteration.
     *
     * @param {number} iteration
     */
    async show(iteration) {
        this.shown = iteration;
        const at = this.traced.indexOf(iteration);
        this.slider.value = String(at);
        const data = await this.iteration(iteration);
        if (this.shown !== iteration) {
            return;
        }
        const size = data.lengths.length;
        byId("shown-iteration").textContent = `Iteration ${iteration}${data.awaited ? ", rewards pending" : ""}`;
        this.slider.setAttribute("aria-valuetext", `iteration ${iteration}`);
        const known = this.colours(data);
        const by = known.includes(this.by) ? this.by : known[0];
        this.colourChoice?.allow(known);
        this.colourChoice?.choose(by);
        if (this.map) {
            Object.assign(this.map, this.kindOfRewards());
            this.map.update(data, by);
        }
        this.markPlayed();
        byId("map-summary").replaceChildren(...this.summary(data));
        byId("map-help").hidden = !data.map;
        byId("means-legend").hidden = !data.map || data.chosen.length === size;
        this.curve?.setShown(iteration);
        this.errors?.setMark(iteration);
        this.kernel?.setMark(iteration);
        this.forecasts?.show(data);
        await this.drawPredicted(data);
    }

    /** @param {Iteration} data */
    summary(data) {
        const size = data.lengths.length;
        if (data.awaited) {
            return [element("strong", {}, `${data.chosen.length} of ${counted(size, "episode")} chosen.`), " Their rewards are pending."];
        }
        const parts = [element("strong", {}, `${data.chosen.length} of ${counted(size, "episode")} paid for.`)];
        if (data.wce !== null && data.wceRandom !== null && data.wceRandom > 0) {
            parts.push(` The error of this choice is ${percent(data.wce / data.wceRandom)} of that of a random choice of the same size.`);
        } else if (!data.map) {
            parts.push(" This algorithm has no kernel, so episodes are plotted by length and return. Click one to watch it.");
        }
        return parts;
    }

    /** @param {Iteration} data */
    async drawPredicted(data) {
        if (!data.predicted && !data.awaited) {
            this.predicted?.clear();
            return;
        }
        const at = this.traced.indexOf(data.iteration);
        const before = await Promise.all(this.traced.slice(Math.max(0, at - REMEMBERED + 1), at).map((k) => this.iteration(k)));
        if (this.shown === data.iteration) {
            this.predicted?.show(data, before);
        }
    }

    drawHeader() {
        const run = this.run;
        if (!run) {
            return;
        }
        document.title = `${run.name} – pgkq`;
        byId("name").textContent = run.name;
        byId("state").replaceChildren(pill(run.state));
        byId("summary").textContent = [run.task, run.algorithm, run.seed === null ? null : `seed ${run.seed}`,
            run.reward ? `reward ${run.reward}` : null].filter((word) => word).join(" · ");
        byId("progress").replaceChildren(progress(run));
        byId("rate").hidden = !run.ratable;
        byId("rate").href = `/rate.html?run=${encodeURIComponent(run.id)}`;
        const cost = run.cost ? number(run.cost) : null;
        const last = this.rows.rows.length - 1;
        const error = this.rows.column("return_se")[last];
        const steps = this.rows.column("steps")[last];
        const spread = typeof error === "number" ? ` ± ${number(error)}` : "";
        byId("fact-return-name").hidden = run.external;
        byId("fact-paid-return-name").hidden = !run.external;
        this.fact("fact-return", number(run.return),
            !run.external ? spread.trim() : run.taskReturn === null ? "" : `by ${TASK_REWARD} ${number(run.taskReturn)}${spread}`);
        this.fact("fact-rewards", number(run.rewardEvaluations), cost === null ? "" : `cost ${cost}`);
        this.fact("fact-steps", number(steps), "");
        this.fact("fact-time", duration(this.rows.wallTime()[last] ?? NaN), remainingText(run, this.rows));
    }

    /**
     * @param {string} id
     * @param {string} value
     * @param {string} note
     */
    fact(id, value, note) {
        byId(id).replaceChildren(element("b", {}, value), note === "" ? "" : element("small", {}, note));
    }

    drawRows() {
        const run = this.run;
        const last = this.rows.rows.length - 1;
        if (run && last >= 0) {
            run.iteration = this.rows.column("iteration")[last] ?? run.iteration;
            run.return = this.rows.column(returnColumn(run))[last] ?? run.return;
            run.taskReturn = run.external && hasTaskReward(this.rows) ? this.rows.column("return_mean")[last] : null;
            run.rewardEvaluations = this.rows.column("reward_evaluations")[last] ?? run.rewardEvaluations;
        }
        this.drawHeader();
        if (run) {
            this.curve?.update(run);
        }
        this.drawErrors();
        this.forecasts?.draw(this.rows, this.shown);
        this.drawTime();
    }

    drawErrors() {
        const iterations = this.rows.column("iteration");
        const line = (/** @type {string} */ column, /** @type {string} */ name, /** @type {string} */ colour, /** @type {string} */ dash) => ({
            name, colour, dash: dash === "" ? undefined : dash, width: 2,
            points: this.rows.column(column).map((y, i) => ({ x: iterations[i] ?? NaN, y })),
        });
        const errors = [line("wce", "this choice", "var(--accent)", ""), line("wce_random", "random choice", "var(--control-dark)", "2 3")];
        this.errors?.update({ lines: errors, x: { label: "iteration", whole: true }, y: { label: "wce, logarithmic", log: true }, mark: this.shown });
        byId("wce-legend").replaceChildren(legend(errors, "line"));
        byId("wce-panel").hidden = !this.rows.has("wce");
        const parameters = [line("kernel_scale", "λ, scale", "var(--accent)", ""), line("kernel_noise", "σ, noise", "var(--control-dark)", "7 4")];
        this.kernel?.update({ lines: parameters, x: { label: "iteration", whole: true }, y: { label: "logarithms" }, mark: this.shown });
        byId("kernel-legend").replaceChildren(legend(parameters, "line"));
        byId("kernel-panel").hidden = !this.rows.has("kernel_scale");
        byId("predicted-panel").hidden = !this.rows.has("mean_error");
    }

    drawTime() {
        const stages = this.rows.stages();
        const iterations = this.rows.column("iteration");
        stages.sort((a, b) => STAGES.indexOf(a.name) - STAGES.indexOf(b.name));
        const sums = stages.map(({ seconds }) => seconds.reduce((sum, value) => sum + value, 0));
        const total = sums.reduce((sum, value) => sum + value, 0);
        const parts = stages.map(({ name }) => ({ name, colour: `var(--stage-${STAGES.includes(name) ? name : "other"})` }));
        if (!this.time) {
            return;
        }
        this.time.emptyText = noIterations(this.run);
        this.time.update({
            parts,
            bars: this.rows.rows.map((_, i) => ({ x: iterations[i] ?? i + 1, values: stages.map(({ seconds }) => seconds[i]) })),
            x: { label: "iteration", whole: true },
            y: { label: "time of an iteration", time: true, zero: true },
        });
        byId("time-legend").replaceChildren(legend(
            parts.map((part, i) => ({ ...part, note: total > 0 ? percent(sums[i] / total) : "", sum: sums[i] }))
                .filter((part) => part.sum > 0), "area"));
    }

    drawEvents() {
        const list = byId("events");
        const events = [...(this.run?.events ?? [])].reverse();
        list.replaceChildren(...events.map((event) => {
            const { time, event: name, ...more } = event;
            const when = new Date(String(time));
            const words = Object.entries(more).flatMap(([key, value], i) => [i === 0 ? "" : " · ", this.eventPart(key, value)]);
            return element("li", {},
                element("time", { datetime: String(time) }, Number.isNaN(when.getTime()) ? "" : when.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" })),
                element("b", {}, String(name)), element("span", {}, ...words));
        }));
        byId("no-events").hidden = events.length > 0;
    }

    /**
     * A field of an event. An iteration that can be shown is a button that goes to it.
     *
     * @param {string} key
     * @param {unknown} value
     */
    eventPart(key, value) {
        const text = `${key} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`;
        return key === "iteration" && this.traced.includes(Number(value))
            ? element("button", { type: "button", class: "inline", click: () => this.go(Number(value)) }, text) : text;
    }

    drawConfig() {
        byId("config").replaceChildren(...Object.entries(this.run?.config ?? {}).map(([key, value]) =>
            element("div", {}, element("dt", {}, key), element("dd", {}, String(value)))));
    }
}

const id = new URLSearchParams(location.search).get("run");
if (id === null) {
    location.replace("/");
} else {
    session().catch(() => {});
    new RunPage(id).open().then(() => showError(null)).catch(showError);
}
