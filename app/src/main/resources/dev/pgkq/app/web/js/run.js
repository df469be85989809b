// @ts-check
/** The page of one run. */
import { get, session } from "./api.js";
import { LineChart, ScatterChart, StackedBars, legend } from "./chart.js";
import { AGAINST, DEFAULT_AGAINST, axis, positions, returns } from "./curves.js";
import { byId, choice, element, reducedMotion } from "./dom.js";
import { ForecastCharts } from "./forecast.js";
import { counted, duration, number, percent, roughly } from "./format.js";
import { Ledger } from "./ledger.js";
import { EpisodeMap, correlation } from "./map.js";
import { pill, progress, showError } from "./parts.js";
import { Replay } from "./replay.js";
import { Feed, Rows } from "./sse.js";
import { lineStyle } from "./variants.js";

/**
 * @typedef {import("./parts.js").Run & {config: Record<string, string>, events: Record<string, unknown>[]}} RunDetails
 * @typedef {import("./map.js").Iteration} Iteration
 * @typedef {import("./curves.js").Against} Against
 */

const DETAILS_SECONDS = 15;
const PLAY_MILLISECONDS = 700;
const TRACE_DELAY_MILLISECONDS = 150;
/** Number of iterations whose predictions are drawn, including the current one. */
const REMEMBERED = 5;
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
        /** @type {Set<number>} */
        this.kept = new Set();
        /** @type {import("./figure.js").Figure | null} */
        this.figure = null;
        /** @type {Map<number, Promise<Iteration>>} */
        this.iterations = new Map();
        this.shown = 0;
        this.follow = true;
        this.playing = 0;
        /** @type {Against} */
        this.against = DEFAULT_AGAINST;
        /** @type {import("./map.js").ColourBy} */
        this.by = "return";
        /** @type {Replay | null} */
        this.replay = null;
        this.request = 0;
        /** Iterations with new data. @type {Set<number>} */
        this.changed = new Set();
        this.traceTimer = 0;
        this.rows = new Rows(id, () => this.drawRows());
        this.ledger = new Ledger(byId("ledger"));
        this.buildCharts();
        this.buildSlider();
    }

    buildCharts() {
        const goTo = (/** @type {number} */ iteration) => this.go(iteration);
        this.curve = new LineChart(byId("curve"), {
            height: 280,
            label: "Mean return with its standard error",
            emptyText: "The first iteration is in progress",
            pick: (x) => this.go(this.rows.column("iteration")[positions(this.rows, this.against).lastIndexOf(x)] ?? NaN),
        });
        byId("against").append(choice("Horizontal axis of the curve", AGAINST, this.against, (value) => {
            this.against = value;
            this.drawCurve();
        }).element);
        this.map = new EpisodeMap(byId("map"), { pick: (episode) => this.play(episode, true), legend: byId("ramp") });
        this.colourChoice = choice("Colour of the episodes", [["return", "Return"], ["length", "Length"], ["predicted", "Predicted return"]],
            this.by, (value) => {
                this.by = value;
                this.show(this.shown).catch(showError);
            });
        byId("colour").append(this.colourChoice.element);
        byId("close-up").addEventListener("change", () => {
            if (this.map) {
                this.map.closeUp = byId("close-up").checked;
                this.map.redraw();
            }
        });
        this.errors = new LineChart(byId("wce"), { height: 180, label: "Worst-case error of the choice and of a random choice",
            emptyText: "This algorithm has no kernel", pick: goTo });
        this.forecasts = new ForecastCharts(goTo);
        this.scatter = new ScatterChart(byId("predicted"), { height: 215, label: "Rewards predicted by the model against paid rewards",
            diagonal: true, emptyText: "This algorithm has no reward model", pick: ({ id }) => id && this.play(id.episode, true, id.iteration) });
        this.kernel = new LineChart(byId("kernel"), { height: 150, label: "Scale and noise of the kernel, λ and σ",
            emptyText: "This run has no trained kernel", pick: goTo });
        this.time = new StackedBars(byId("time"), { height: 230, label: "Seconds per stage, by iteration",
            emptyText: "The first iteration is in progress" });
    }

    buildSlider() {
        this.slider = byId("iteration");
        this.slider.addEventListener("input", () => {
            this.stop();
            this.setFollow(false);
            this.show(this.traced[Number(this.slider.value)]).catch(showError);
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
            this.toLast();
        });
    }

    async open() {
        await this.readDetails();
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
                        this.readDetails().catch(() => {});
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
        this.kept = new Set(episodes);
        this.drawSlider();
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
        if (trace.figure && !this.figure) {
            this.figure = await get(`${this.base}/figure`);
        }
        if (this.follow && this.traced.at(-1) !== this.shown) {
            await this.toLast();
        } else if (again) {
            await this.show(this.shown);
        }
        if (!this.replay && this.traced.length > 0) {
            await this.playDefault();
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

    async toLast() {
        const last = this.traced.at(-1);
        if (last !== undefined) {
            await this.show(last);
        }
    }

    /** @param {number} iteration */
    go(iteration) {
        if (this.traced.includes(iteration)) {
            this.stop();
            this.setFollow(iteration === this.traced.at(-1) && this.follow);
            this.show(iteration).catch(showError);
        }
    }

    /** Plays through the iterations, from the start if the last one is shown. */
    start() {
        this.setFollow(false);
        if (this.shown === this.traced.at(-1)) {
            this.show(this.traced[0]).catch(showError);
        }
        this.playing = window.setInterval(() => {
            const at = this.traced.indexOf(this.shown) + 1;
            if (at >= this.traced.length) {
                this.stop();
            } else {
                this.show(this.traced[at]).catch(showError);
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
        /** @type {import("./map.js").ColourBy[]} */
        const known = data.awaited ? ["length"] : data.predicted ? ["return", "length", "predicted"] : ["return", "length"];
        this.colourChoice?.allow(known);
        const by = known.includes(this.by) ? this.by : known[0];
        this.map?.update(data, by);
        this.map?.mark(this.played?.iteration === iteration ? this.played.episode : -1);
        byId("map-summary").replaceChildren(...this.summary(data));
        byId("means-legend").hidden = !data.map || data.chosen.length === size;
        this.curve?.setMark(this.shownPosition());
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
            parts.push(" This algorithm has no kernel, so episodes are plotted by length and return.");
        }
        return parts;
    }

    /** @param {Iteration} data */
    async drawPredicted(data) {
        const caption = byId("predicted-note");
        if (!data.predicted && !data.awaited) {
            this.scatter?.update({ dots: [], x: { label: "" }, y: { label: "" } });
            caption.textContent = "";
            return;
        }
        const at = this.traced.indexOf(data.iteration);
        const before = await Promise.all(this.traced.slice(Math.max(0, at - REMEMBERED + 1), at).map((k) => this.iteration(k)));
        if (this.shown !== data.iteration) {
            return;
        }
        /** @type {import("./chart.js").Dot[]} */
        const dots = [];
        for (const one of [...before, data]) {
            one.chosen.forEach((episode, i) => {
                const paid = one.paid?.[i];
                const expected = one.predicted?.[episode];
                if (typeof paid === "number" && typeof expected === "number") {
                    dots.push({
                        x: expected, y: paid, faint: one !== data, radius: one === data ? 5 : 3.5, id: { iteration: one.iteration, episode },
                        tip: { name: `Episode ${episode}${one === data ? "" : `, iteration ${one.iteration}`}`,
                            lines: [`predicted ${number(expected)}`, `paid: ${number(paid)}`] },
                    });
                }
            });
        }
        this.scatter?.update({ dots, x: { label: "predicted by the model" }, y: { label: "paid" } });
        const now = dots.filter((dot) => !dot.faint);
        const r = correlation(now.map((dot) => dot.x), now.map((dot) => dot.y));
        const words = now.length === 0 ? ["Rewards of this iteration are pending"] : ["Predictions before the model learned from these rewards"];
        if (!Number.isNaN(r)) {
            words.push(`correlation ${r > 0.9995 ? "above 0.999" : r.toFixed(3).replace("-", "−")} over ${counted(now.length, "episode")}`);
        }
        if (dots.length > now.length) {
            words.push(before.length === 1 ? "pale: the previous iteration" : `pale: the ${before.length} previous iterations`);
        }
        caption.textContent = `${words.join("; ")}.`;
    }

    /** Shows the start of the episode with the largest weight in the displayed iteration. */
    async playDefault() {
        const data = await this.iteration(this.shown);
        if (!this.kept.has(this.shown)) {
            const last = [...this.kept].at(-1);
            byId("replay-title").textContent = "Replay";
            byId("replay-none").hidden = false;
            byId("replay-none").textContent = last === undefined
                ? "No episodes of this run are kept."
                : "Choose an iteration whose episodes are still kept, and click an episode in the map.";
            return;
        }
        const heaviest = data.chosen[data.weights.indexOf(Math.max(...data.weights))] ?? 0;
        await this.play(heaviest, false);
    }

    /**
     * @param {number} episode
     * @param {boolean} starts whether playback starts at once
     * @param {number} [iteration] by default the displayed one
     */
    async play(episode, starts, iteration = this.shown) {
        const note = byId("replay-none");
        const request = ++this.request;
        if (!this.kept.has(iteration)) {
            note.hidden = false;
            note.textContent = `The episodes of iteration ${iteration} are no longer kept. Only the newest are, up to --keep-episodes.`;
            return;
        }
        /** @type {{length: number, states: number[][], rewards: number[] | null}} */
        let recorded;
        try {
            recorded = await get(`${this.base}/iterations/${iteration}/episodes/${episode}`);
        } catch (error) {
            note.hidden = false;
            note.textContent = error instanceof Error ? error.message : String(error);
            return;
        }
        const data = await this.iteration(iteration);
        if (request !== this.request) {
            return;
        }
        note.hidden = true;
        this.played = { iteration, episode };
        this.map?.mark(this.shown === iteration ? episode : -1);
        const at = data.chosen.indexOf(episode);
        byId("replay-title").textContent = `Replay: iteration ${iteration}, episode ${episode}`;
        byId("replay-facts").textContent = [
            counted(data.lengths[episode], "step"), data.endings[episode],
            ...(data.returns[episode] === null ? [] : [`return ${number(data.returns[episode])}`]),
            at >= 0 ? `chosen with weight ${percent(data.weights[at])}` : "not chosen",
        ].join(" · ");
        const unpaid = data.awaited && at >= 0 ? "Rewards are pending." : "No rewards: this episode was not paid for.";
        if (this.replay) {
            this.replay.pause();
            this.replay.load({ ...recorded, unpaid });
        } else {
            this.replay = new Replay(byId("replay"), { ...recorded, unpaid, figure: this.figure, keys: byId("replay-panel"), height: 340 });
        }
        if (starts) {
            if (!reducedMotion()) {
                this.replay.play();
            }
            byId("replay-panel").scrollIntoView({ block: "nearest", behavior: reducedMotion() ? "auto" : "smooth" });
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
        const paid = this.rows.column("paid_return")[last];
        byId("fact-return-name").textContent = this.hasExternalRewards() ? "Task's own return" : "Mean return";
        this.fact("fact-return", number(run.return), [typeof error === "number" ? `± ${number(error)}` : "",
            this.hasExternalRewards() && typeof paid === "number" ? `paid: ${number(paid)}` : ""].filter(Boolean).join(", "));
        this.fact("fact-rewards", number(run.rewardEvaluations), cost === null ? "" : `cost ${cost}`);
        this.fact("fact-steps", number(steps), "");
        const left = this.remaining();
        this.fact("fact-time", duration(this.rows.wallTime()[last] ?? NaN), left === null ? "" : `about ${left} left`);
    }

    /**
     * @param {string} id
     * @param {string} value
     * @param {string} note
     */
    fact(id, value, note) {
        byId(id).replaceChildren(element("b", {}, value), note === "" ? "" : element("small", {}, note));
    }

    /** Remaining time, estimated from the last ten iterations; null if unknown. */
    remaining() {
        const run = this.run;
        const times = this.rows.wallTime();
        if (!run || !this.isRunning() || !run.iterations || times.length < 2) {
            return null;
        }
        const some = Math.min(10, times.length - 1);
        const each = (times[times.length - 1] - times[times.length - 1 - some]) / some;
        const left = run.iterations - times.length;
        return left > 0 ? roughly(each * left) : null;
    }

    drawRows() {
        const run = this.run;
        const last = this.rows.rows.length - 1;
        if (run && last >= 0) {
            run.iteration = this.rows.column("iteration")[last] ?? run.iteration;
            run.return = this.rows.column("return_mean")[last] ?? run.return;
            run.rewardEvaluations = this.rows.column("reward_evaluations")[last] ?? run.rewardEvaluations;
        }
        this.drawHeader();
        this.drawCurve();
        this.drawErrors();
        this.forecasts?.draw(this.rows, this.shown);
        this.drawTime();
    }

    /** Whether rewards are external. The returns of all episodes are then known only by the task's own reward. */
    hasExternalRewards() {
        return !["", "builtin", "sparse", "rating"].includes(this.run?.reward ?? "");
    }

    /** The position of the displayed iteration in the curve; null while it is in progress. */
    shownPosition() {
        const at = this.rows.column("iteration").indexOf(this.shown);
        return this.traced.length > 0 && at >= 0 ? positions(this.rows, this.against)[at] : null;
    }

    drawCurve() {
        const style = lineStyle(this.run?.algorithm ?? "");
        const lines = [{ ...style, dash: undefined, band: 0.22, name: "", points: returns(this.rows, this.against) }];
        this.curve?.update({
            lines,
            x: axis(this.against, lines),
            y: { label: this.hasExternalRewards() ? "mean return by the task's own reward ± standard error" : "mean return ± standard error" },
            mark: this.shownPosition(),
        });
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
        this.kernel?.update({ lines: parameters, x: { label: "iteration", whole: true }, y: { label: "of the kernel, as logarithms" }, mark: this.shown });
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
        this.time?.update({
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
            const words = Object.entries(more).map(([key, value]) => `${key} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`);
            return element("li", {},
                element("time", { datetime: String(time) }, Number.isNaN(when.getTime()) ? "" : when.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" })),
                element("b", {}, String(name)), element("span", {}, words.join(" · ")));
        }));
        byId("no-events").hidden = events.length > 0;
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
