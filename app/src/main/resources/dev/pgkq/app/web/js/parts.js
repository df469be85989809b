// @ts-check
/** Elements that several pages share. */
import { byId, element } from "./dom.js";
import { number } from "./format.js";

/**
 * A run as the server lists it. With external rewards, return is their mean, and taskReturn that of the task's own reward, if it
 * has one.
 *
 * @typedef {{id: string, name: string, state: string, task: string, algorithm: string, seed: number | null,
 *     reward: string | null, external: boolean, iterations: number | null, iteration: number | null, return: number | null,
 *     taskReturn: number | null, rewardEvaluations: number | null, cost: number | null, updated: string | number | null, ratable: boolean}} Run
 */

/**
 * Where a run's own page is.
 *
 * @param {{id: string}} run
 * @returns {string}
 */
export function link(run) {
    return `/run.html?run=${encodeURIComponent(run.id)}`;
}

/**
 * What a chart says while a run has no iteration.
 *
 * @param {Run | null} run
 * @returns {string}
 */
export function noIterations(run) {
    return run === null || run.state === "running" || run.state === "waiting" ? "The first iteration is in progress"
        : "The run ended before its first iteration was complete";
}

/**
 * The state of a run, as a word with a colour and a symbol.
 *
 * @param {string} state
 * @returns {HTMLElement}
 */
export function pill(state) {
    return element("span", { class: "pill", "data-state": state }, state);
}

/**
 * The progress of a run.
 *
 * @param {Run} run
 * @returns {HTMLElement}
 */
export function progress(run) {
    const done = run.iteration ?? 0;
    const all = run.iterations ?? 0;
    const text = all > 0 ? `${number(done)} of ${number(all)}` : number(done);
    return element("span", { class: "progress" },
        all > 0 ? element("progress", { max: all, value: Math.min(done, all), "aria-label": `iteration ${text}` }) : null,
        element("span", {}, text));
}

/**
 * Shows an error at the top of the page; null removes it.
 *
 * @param {unknown} error
 */
export function showError(error) {
    const line = byId("error-message");
    line.hidden = error === null;
    line.textContent = error === null ? "" : error instanceof Error ? error.message : String(error);
}
