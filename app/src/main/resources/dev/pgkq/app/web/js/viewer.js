// @ts-check
/** The replay of the page of a run: which episode it shows, and what is said about it. */
import { get } from "./api.js";
import { TASK_REWARD, YOUR_REWARD } from "./curves.js";
import { byId, reducedMotion } from "./dom.js";
import { counted, number, percent } from "./format.js";
import { picturesOf } from "./frames.js";
import { knownReturns } from "./map.js";
import { Replay } from "./replay.js";

/**
 * @typedef {import("./map.js").Iteration} Iteration
 * @typedef {{external: boolean, hasReturns: boolean}} Kind of rewards; hasReturns: the returns of all episodes mean something
 */

export class EpisodeViewer {
    /**
     * @param {string} base address of the run
     * @param {(iteration: number) => Promise<Iteration>} read
     * @param {() => Kind} kind
     * @param {() => void} changed called when another episode is shown
     */
    constructor(base, read, kind, changed) {
        this.base = base;
        this.read = read;
        this.kind = kind;
        this.changed = changed;
        /** Iterations whose episodes are kept. @type {Set<number>} */
        this.kept = new Set();
        /** @type {import("./figure.js").Figure | null} */
        this.figure = null;
        /** @type {Replay | null} */
        this.replay = null;
        /** @type {{iteration: number, episode: number, awaited: boolean} | null} */
        this.shown = null;
        /** Whether somebody chose the episode. */
        this.chosen = false;
        this.request = 0;
    }

    /** Whether nobody looks at a particular episode, so that the replay may go on to another. */
    isIdle() {
        return !this.chosen && !this.replay?.playing && (this.replay?.step ?? 0) === 0;
    }

    /**
     * Shows the start of the episode with the largest weight in an iteration.
     *
     * @param {number} iteration
     */
    async showHeaviest(iteration) {
        const request = ++this.request;
        const data = await this.read(iteration);
        if (request === this.request) {
            this.chosen = false;
            await this.show(data.chosen[data.weights.indexOf(Math.max(...data.weights))] ?? 0, iteration);
        }
    }

    /**
     * Plays an episode that somebody chose.
     *
     * @param {number} episode
     * @param {number} iteration
     */
    async play(episode, iteration) {
        this.chosen = true;
        if (await this.show(episode, iteration)) {
            if (!reducedMotion()) {
                this.replay?.play();
            }
            byId("replay-panel").scrollIntoView({ block: "nearest", behavior: reducedMotion() ? "auto" : "smooth" });
        }
    }

    /** Shows the same episode again if its rewards have arrived since. */
    async refresh() {
        const { iteration, episode, awaited } = this.shown ?? { iteration: 0, episode: 0, awaited: false };
        if (awaited && !this.replay?.playing && !(await this.read(iteration)).awaited) {
            await this.show(episode, iteration);
        }
    }

    /**
     * @param {number} episode
     * @param {number} iteration
     * @returns {Promise<boolean>} whether it is shown now
     */
    async show(episode, iteration) {
        const request = ++this.request;
        if (!this.kept.has(iteration)) {
            this.showNothing(iteration, this.kept.size === 0
                ? "No episodes of this run are kept."
                : `The episodes of iteration ${iteration} are no longer kept. Only the newest are, up to --keep-episodes.`);
            return false;
        }
        /** @type {{length: number, states: number[][], rewards: number[] | null, frames: boolean}} */
        let recorded;
        /** @type {Awaited<ReturnType<typeof picturesOf>>} */
        let seen;
        try {
            const address = `${this.base}/iterations/${iteration}/episodes/${episode}`;
            recorded = await get(address);
            seen = await picturesOf(address, recorded.frames);
        } catch (error) {
            if (request === this.request) {
                this.showNothing(iteration, error instanceof Error ? error.message : String(error));
            }
            return false;
        }
        const data = await this.read(iteration);
        if (request !== this.request) {
            return false;
        }
        byId("replay-none").hidden = true;
        byId("replay").hidden = false;
        this.shown = { iteration, episode, awaited: Boolean(data.awaited) };
        byId("replay-title").textContent = `Replay: iteration ${iteration}, episode ${episode}`;
        byId("replay-facts").textContent = facts(data, episode, this.kind());
        const unpaid = data.awaited && data.chosen.includes(episode) ? "Rewards are pending." : "No rewards: this episode was not paid for.";
        if (this.replay) {
            this.replay.pause();
            this.replay.load({ ...recorded, ...seen, unpaid });
        } else {
            this.replay = new Replay(byId("replay"), { ...recorded, ...seen, unpaid, figure: this.figure, keys: byId("replay-panel"), height: 340 });
        }
        this.changed();
        return true;
    }

    /**
     * @param {number} iteration
     * @param {string} reason
     */
    showNothing(iteration, reason) {
        this.replay?.pause();
        this.shown = null;
        byId("replay").hidden = true;
        byId("replay-title").textContent = `Replay: iteration ${iteration}`;
        byId("replay-facts").textContent = "";
        byId("replay-none").hidden = false;
        byId("replay-none").textContent = reason;
        this.changed();
    }
}

/**
 * An episode in words.
 *
 * @param {Iteration} data
 * @param {number} episode
 * @param {Kind} kind
 */
function facts(data, episode, { external, hasReturns }) {
    const words = [counted(data.lengths[episode], "step"), data.endings[episode]];
    const own = knownReturns(data, external)[episode];
    const task = data.returns[episode];
    if (own !== null) {
        words.push(`return ${external ? `by ${YOUR_REWARD} ` : ""}${number(own)}`);
    }
    if (external && hasReturns && task !== null) {
        words.push(`by ${TASK_REWARD} ${number(task)}`);
    }
    const at = data.chosen.indexOf(episode);
    words.push(at >= 0 ? `chosen with weight ${percent(data.weights[at])}` : "not chosen");
    return words.join(" · ");
}
