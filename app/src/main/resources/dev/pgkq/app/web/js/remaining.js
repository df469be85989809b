// @ts-check
/** The time that a run still needs. */
import { roughly } from "./format.js";

/** Iterations that the estimate is based on. */
const WINDOW = 10;

/**
 * The seconds of the remaining iterations, from the mean of the last ones; null if unknown. The time that people take to rate
 * depends on them and not on the run, so it does not count.
 *
 * @param {import("./sse.js").Rows} rows
 * @param {number | null} iterations of the whole run
 * @param {boolean} people whether people rate
 * @returns {number | null}
 */
export function remainingSeconds(rows, iterations, people) {
    const done = rows.rows.length;
    const some = Math.min(WINDOW, done);
    const left = (iterations ?? 0) - done;
    if (some === 0 || left <= 0) {
        return null;
    }
    const stages = rows.stages().filter(({ name }) => !people || name !== "reward");
    const spent = stages.reduce((sum, { seconds }) => sum + seconds.slice(-some).reduce((all, each) => all + each, 0), 0);
    return spent / some * left;
}

/**
 * The remaining time in words; empty if there is nothing to say.
 *
 * @param {import("./parts.js").Run} run
 * @param {import("./sse.js").Rows} rows
 * @returns {string}
 */
export function remainingText(run, rows) {
    if (run.state !== "running" && run.state !== "waiting") {
        return "";
    }
    if (run.state === "waiting" && run.ratable) {
        return "waiting for people";
    }
    const seconds = remainingSeconds(rows, run.iterations, run.ratable);
    return seconds === null ? "" : `about ${roughly(seconds)} left${run.ratable ? ", without ratings" : ""}`;
}
