// @ts-check
/** Learning curves against iterations, steps, paid rewards or time. */

/** @typedef {"iteration" | "steps" | "rewards" | "time"} Against */

/** @type {[Against, string][]} */
export const AGAINST = [
    ["iteration", "Iteration"],
    ["steps", "Steps"],
    ["rewards", "Paid rewards"],
    ["time", "Time"],
];

/**
 * @param {Against} against
 * @returns {import("./chart.js").Axis}
 */
export function axis(against) {
    switch (against) {
        case "steps":
            return { label: "steps" };
        case "rewards":
            return { label: "reward evaluations" };
        case "time":
            return { label: "training time", time: true };
        default:
            return { label: "iteration", whole: true };
    }
}

/**
 * The mean return with its standard error.
 *
 * @param {import("./sse.js").Rows} rows
 * @param {Against} against
 * @returns {import("./chart.js").LinePoint[]}
 */
export function returns(rows, against) {
    const columns = { iteration: "iteration", steps: "steps", rewards: "reward_evaluations" };
    const xs = against === "time" ? rows.wallTime() : rows.column(columns[against]);
    const means = rows.column("return_mean");
    const errors = rows.column("return_se");
    return means.map((y, i) => {
        const error = errors[i];
        return {
            x: xs[i] ?? NaN,
            y,
            low: y === null || error === null ? undefined : y - error,
            high: y === null || error === null ? undefined : y + error,
        };
    });
}
