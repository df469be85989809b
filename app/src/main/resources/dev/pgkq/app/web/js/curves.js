// @ts-check
/** Learning curves against paid rewards, iterations, steps or time. */

/** @typedef {"rewards" | "iteration" | "steps" | "time"} Against */

/** The default comes first. @type {[Against, string][]} */
export const AGAINST = [
    ["rewards", "Paid rewards"],
    ["iteration", "Iteration"],
    ["steps", "Steps"],
    ["time", "Time"],
];
export const DEFAULT_AGAINST = AGAINST[0][0];

/** If some lines extend more than this many times as far as others, the axis of paid rewards is logarithmic, as in reports. */
const LOGARITHMIC_RATIO = 4;

/**
 * @param {Against} against
 * @param {import("./chart.js").Line[]} lines
 * @returns {import("./chart.js").Axis}
 */
export function axis(against, lines) {
    switch (against) {
        case "steps":
            return { label: "steps" };
        case "rewards":
            return { label: "reward evaluations", whole: true, log: isUneven(lines) };
        case "time":
            return { label: "training time", time: true };
        default:
            return { label: "iteration", whole: true };
    }
}

/** @param {import("./chart.js").Line[]} lines */
function isUneven(lines) {
    const drawn = lines.map(({ points }) => points).filter((points) => points.length > 0);
    const ends = drawn.map((points) => points[points.length - 1].x);
    return drawn.every((points) => points[0].x > 0) && Math.max(...ends) > LOGARITHMIC_RATIO * Math.min(...ends);
}

/** The names of the two returns of a run with external rewards. */
export const YOUR_REWARD = "your reward";
export const TASK_REWARD = "the task's own reward";

/** Columns of the metrics with mean returns. @typedef {"return_mean" | "paid_return"} Returns */

/**
 * The column with the return of a run: by its external reward if it has one, otherwise by the task's.
 *
 * @param {{external: boolean} | null} run
 * @returns {Returns}
 */
export function returnColumn(run) {
    return run?.external ? "paid_return" : "return_mean";
}

/**
 * The label of the vertical axis.
 *
 * @param {{external: boolean} | null} run
 * @returns {string}
 */
export function returnLabel(run) {
    return run?.external ? `mean return by ${YOUR_REWARD}` : "mean return ± standard error";
}

/**
 * Whether the task has a reward of its own. One without gives 0 for every step.
 *
 * @param {import("./sse.js").Rows} rows
 */
export function hasTaskReward(rows) {
    return [...rows.column("return_mean"), ...rows.column("return_se")].some((value) => value !== null && value !== 0);
}

/**
 * The position of each iteration on the horizontal axis.
 *
 * @param {import("./sse.js").Rows} rows
 * @param {Against} against
 * @returns {number[]}
 */
export function positions(rows, against) {
    switch (against) {
        case "time":
            return rows.wallTime();
        case "rewards":
            return spread(rows.column("reward_evaluations").map((x) => x ?? NaN));
        default:
            return rows.column(against).map((x) => x ?? NaN);
    }
}

/**
 * Spreads iterations with the same number of paid rewards between that number and the next: 3, 3, 3, 4 becomes 3, 3⅓, 3⅔, 4. Such
 * iterations pay for no episode, but they learn from what was paid for, and each can be seen and selected this way.
 *
 * @param {number[]} counts
 * @returns {number[]}
 */
export function spread(counts) {
    /** @type {number[]} */
    const result = [];
    while (result.length < counts.length) {
        const from = result.length;
        let to = from + 1;
        while (counts[to] === counts[from]) {
            to++;
        }
        for (let i = from; i < to; i++) {
            result.push(counts[from] + (i - from) / (to - from));
        }
    }
    return result;
}

/**
 * Mean returns, with their standard error where it is known.
 *
 * @param {import("./sse.js").Rows} rows
 * @param {Against} against
 * @param {Returns} column
 * @returns {import("./chart.js").LinePoint[]}
 */
export function returns(rows, against, column) {
    const xs = positions(rows, against);
    const errors = column === "return_mean" ? rows.column("return_se") : [];
    return rows.column(column).map((y, i) => {
        const error = errors[i] ?? null;
        return {
            x: xs[i],
            y,
            low: y === null || error === null ? undefined : y - error,
            high: y === null || error === null ? undefined : y + error,
        };
    }).filter((point) => point.y !== null && Number.isFinite(point.x));
}
