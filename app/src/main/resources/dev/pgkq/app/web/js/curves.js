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

/**
 * The position of each iteration on the horizontal axis.
 *
 * @param {import("./sse.js").Rows} rows
 * @param {Against} against
 * @returns {number[]}
 */
export function positions(rows, against) {
    const columns = { iteration: "iteration", steps: "steps", rewards: "reward_evaluations" };
    return against === "time" ? rows.wallTime() : rows.column(columns[against]).map((x) => x ?? NaN);
}

/**
 * The mean return with its standard error. Iterations that pay for no episode have the same number of paid rewards as the one
 * before; the last of them counts, since it shows what these rewards achieved.
 *
 * @param {import("./sse.js").Rows} rows
 * @param {Against} against
 * @returns {import("./chart.js").LinePoint[]}
 */
export function returns(rows, against) {
    const xs = positions(rows, against);
    const errors = rows.column("return_se");
    const points = rows.column("return_mean").map((y, i) => {
        const error = errors[i];
        return {
            x: xs[i],
            y,
            low: y === null || error === null ? undefined : y - error,
            high: y === null || error === null ? undefined : y + error,
        };
    }).filter((point) => point.y !== null && Number.isFinite(point.x));
    return points.filter((point, i) => point.x !== points[i + 1]?.x);
}
