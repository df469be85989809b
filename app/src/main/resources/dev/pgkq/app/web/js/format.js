// @ts-check
/** Formats numbers, times and counts for display. */

const MINUS = "−";

/**
 * A number with three significant digits, or all digits before the decimal point, with thousands separators.
 *
 * @param {number | null | undefined} value
 * @returns {string}
 */
export function number(value) {
    if (value === null || value === undefined || !Number.isFinite(value)) {
        return "–";
    }
    const size = Math.abs(value);
    if (size !== 0 && (size < 0.001 || size >= 1e9)) {
        const [digits, power] = value.toExponential(2).split("e");
        return `${minus(digits)}·10${superscript(Number(power))}`;
    }
    const decimals = size === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(size)));
    return minus(
        value.toLocaleString("en", { maximumFractionDigits: Number.isInteger(value) ? 0 : decimals }),
    );
}

/**
 * A short form for axes: 1500000 is 1.5M.
 *
 * @param {number} value
 * @returns {string}
 */
export function short(value) {
    const size = Math.abs(value);
    /** @type {[number, string][]} */
    const units = [[1e9, "G"], [1e6, "M"], [1e4, "k"]];
    for (const [unit, letter] of units) {
        if (size >= unit) {
            const scale = letter === "k" ? 1e3 : unit;
            return minus(String(Number((value / scale).toPrecision(3)))) + letter;
        }
    }
    if (size > 0 && size < 0.001) {
        const [digits, power] = value.toExponential(0).split("e");
        return `${minus(digits)}·10${superscript(Number(power))}`;
    }
    return minus(String(Number(value.toPrecision(4))));
}

/**
 * A fraction as a percentage.
 *
 * @param {number} value
 * @returns {string}
 */
export function percent(value) {
    const hundredths = 100 * value;
    return `${minus(hundredths.toFixed(hundredths !== 0 && Math.abs(hundredths) < 9.95 ? 1 : 0))} %`;
}

/**
 * A duration: "4.2 s", "3 min 20 s", "2 h 5 min", "3 d 4 h".
 *
 * @param {number} seconds
 * @returns {string}
 */
export function duration(seconds) {
    if (!Number.isFinite(seconds)) {
        return "–";
    }
    if (seconds > 0 && seconds < 0.1) {
        return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
    }
    if (seconds < 60) {
        return `${Number(seconds.toFixed(seconds < 9.95 ? 1 : 0))} s`;
    }
    const whole = Math.round(seconds);
    /** @type {[number, string, number, string][]} */
    const units = [[86400, "d", 3600, "h"], [3600, "h", 60, "min"], [60, "min", 1, "s"]];
    for (const [large, name, small, rest] of units) {
        if (whole >= large) {
            const left = Math.floor((whole % large) / small);
            return `${Math.floor(whole / large)} ${name}${left > 0 ? ` ${left} ${rest}` : ""}`;
        }
    }
    return `${whole} s`;
}

/**
 * A duration rounded to its largest unit: "3 min".
 *
 * @param {number} seconds
 * @returns {string}
 */
export function roughly(seconds) {
    const [large] = duration(seconds).match(/^[\d.]+ \S+/) ?? ["–"];
    return large;
}

/**
 * The time since a moment, such as "3 min ago".
 *
 * @param {string | number | null | undefined} moment ISO text or milliseconds
 * @param {number} [now] milliseconds
 * @returns {string}
 */
export function ago(moment, now = Date.now()) {
    if (moment === null || moment === undefined) {
        return "–";
    }
    const seconds = (now - new Date(moment).getTime()) / 1000;
    if (!Number.isFinite(seconds)) {
        return "–";
    }
    if (seconds < 10) {
        return "just now";
    }
    return `${roughly(seconds)} ago`;
}

/**
 * "1 episode", "2 episodes".
 *
 * @param {number} count
 * @param {string} word
 * @returns {string}
 */
export function counted(count, word) {
    return `${number(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** @param {string} text */
function minus(text) {
    return text.replace("-", MINUS);
}

/** @param {number} power */
function superscript(power) {
    return [...String(power)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join("");
}
