// @ts-check
/**
 * What paying for episodes is expected to achieve: the expected squared error of the gradient with 0, 1, 2 … of the chosen episodes
 * paid for, and with one more. It is known before any reward is. Errors are relative to the squared error that the gradient has
 * because it is computed from the sampled episodes only.
 */
import { LineChart, legend } from "./chart.js";
import { byId } from "./dom.js";
import { counted, number, percent } from "./format.js";

/**
 * @typedef {{errors: (number | null)[], next: number | null, inflation: number | null}} Forecast
 *     errors: with 0, 1, 2 … of the chosen episodes paid for; null while nothing is known about rewards
 */

/** With --select auto, nothing is paid for while the expected error is at most this. */
const TOLERANCE = 0.1;
const REFERENCE = { y: TOLERANCE, label: `auto stops at ${TOLERANCE}` };
const EPISODES = "episodes paid for";

/** The two charts of the page of a run: one iteration, and all of them. */
export class ForecastCharts {
    /** @param {(iteration: number) => void} goTo */
    constructor(goTo) {
        this.steps = new LineChart(byId("forecast"), { height: 215, emptyText: "Nothing is known about rewards yet",
            label: "Expected error of the gradient by number of paid episodes, and with one more" });
        this.trend = new LineChart(byId("expected"), { height: 250, pick: goTo,
            label: "Expected error of the gradient before and after payment, and episodes paid for, by iteration" });
    }

    /**
     * Shows the forecast of an iteration.
     *
     * @param {import("./map.js").Iteration} data
     */
    show({ iteration, forecast }) {
        byId("forecast-panel").hidden = !forecast;
        this.trend.setMark(iteration);
        if (!forecast) {
            return;
        }
        const chosen = forecast.errors.length - 1;
        const points = [...forecast.errors, forecast.next].map((y, x) => ({ x, y }));
        this.steps.update({
            lines: [{ name: "expected error", colour: "var(--accent)", points, dots: true, plannedFrom: chosen }],
            x: { label: EPISODES, whole: true },
            y: { label: "expected error, logarithmic", log: true },
            reference: REFERENCE,
        });
        byId("forecast-note").textContent = words(forecast);
        byId("inflation").textContent = number(forecast.inflation);
    }

    /**
     * Draws the expected errors of all iterations.
     *
     * @param {import("./sse.js").Rows} rows
     * @param {number} shown the displayed iteration
     */
    draw(rows, shown) {
        byId("expected-panel").hidden = !rows.has("expected_error");
        const iterations = rows.column("iteration");
        const points = (/** @type {string} */ column) => rows.column(column).map((y, i) => ({ x: iterations[i] ?? NaN, y }));
        const lines = [
            { name: "before payment", colour: "var(--control-dark)", dash: "2 3", width: 2, points: points("expected_error") },
            { name: "after payment", colour: "var(--accent)", width: 2, points: points("expected_error_paid") },
        ];
        this.trend.update({
            lines,
            x: { label: "iteration", whole: true },
            y: { label: "expected error, logarithmic", log: true },
            mark: shown,
            reference: REFERENCE,
            bars: { name: EPISODES, points: points("paid") },
        });
        byId("expected-legend").replaceChildren(legend(lines, "line"));
    }
}

/**
 * A forecast in words.
 *
 * @param {Forecast} forecast
 * @returns {string}
 */
export function words({ errors, next }) {
    const chosen = errors.length - 1;
    const before = errors[0];
    const after = errors[chosen];
    if (before === null || after === null) {
        return "No error can be forecast before the first rewards are paid for.";
    }
    const now = chosen === 0
        ? `Without payment, the expected error is ${number(before)}.`
        : `${counted(chosen, "episode")} reduce${chosen === 1 ? "s" : ""} the expected error from ${number(before)} to ${number(after)}.`;
    return next === null || after === 0 ? now : `${now} ${chosen === 0 ? "One episode" : "One more"} would reduce it to ${number(next)}, by ${percent(1 - next / after)}.`;
}
