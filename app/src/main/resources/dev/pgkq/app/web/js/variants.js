// @ts-check
/** The style of each variant: the colours and dashes of the figures of pgkq plot, as defined in style.css. */

/** @type {Record<string, {colour: string, dash?: string, width: number, band: number}>} */
const STYLES = {
    large: { colour: "var(--large)", width: 2.4, band: 0.16 },
    "kq-plus": { colour: "var(--kq-plus)", dash: "13 4", width: 2.4, band: 0.16 },
    "kq-bayes": { colour: "var(--kq-plus)", dash: "20 2", width: 2.4, band: 0.16 },
    kq: { colour: "var(--kq)", width: 2.4, band: 0.16 },
    "kq-no-mean": { colour: "var(--kq-no-mean)", dash: "10 3 2.5 3", width: 2.4, band: 0.16 },
    small: { colour: "var(--small)", dash: "5 3", width: 2.4, band: 0.16 },
    "random-mean": { colour: "var(--control-dark)", dash: "7 4", width: 1.6, band: 0.1 },
    random: { colour: "var(--control-dark)", dash: "1.8 2.6", width: 1.6, band: 0.1 },
    "random-bayes": { colour: "var(--control-dark)", dash: "12 2 2 2", width: 1.6, band: 0.1 },
    impute: { colour: "var(--control-light)", dash: "3 5", width: 1.6, band: 0.1 },
    "model-only": { colour: "var(--control-light)", dash: "9 3 1.8 3 1.8 3", width: 1.6, band: 0.1 },
};

/**
 * The variant of an algorithm: "ppo-kq-plus" is kq-plus, "ppo" alone is small.
 *
 * @param {string} algorithm
 * @returns {string}
 */
export function variant(algorithm) {
    const dash = algorithm.indexOf("-");
    return dash < 0 ? "small" : algorithm.slice(dash + 1);
}

/**
 * The style of the runs of an algorithm.
 *
 * @param {string} algorithm
 * @returns {{colour: string, dash?: string, width: number, band: number}}
 */
export function lineStyle(algorithm) {
    return STYLES[variant(algorithm)] ?? STYLES.random;
}

/**
 * The styles of several lines in one chart. Lines of the same colour have different markers, except the first, which has none.
 *
 * @param {string[]} algorithms
 * @returns {{colour: string, dash?: string, width: number, band: number, marker?: number}[]}
 */
export function lineStyles(algorithms) {
    const styles = algorithms.map(lineStyle);
    return styles.map((style, i) => {
        const before = styles.slice(0, i).filter(({ colour }) => colour === style.colour).length;
        return before === 0 ? style : { ...style, marker: before - 1 };
    });
}

/**
 * Whether an algorithm is a control.
 *
 * @param {string} algorithm
 * @returns {boolean}
 */
export function isControl(algorithm) {
    return lineStyle(algorithm).colour.startsWith("var(--control");
}
