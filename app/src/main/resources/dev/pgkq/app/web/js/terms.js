// @ts-check
/**
 * Explains terms in place. A term is a button with an explanation, which shows while the pointer is on either of them or the
 * button has the focus, so also after a tap. Escape closes it.
 */
import { element } from "./dom.js";

/** @type {Record<string, string>} */
const TEXTS = {
    "your-reward": "The reward that this run pays for and learns from. Its mean over all episodes of an iteration is estimated from the"
        + " paid episodes and their weights; kq-bayes estimates it from everything paid for so far.",
    "task-reward": "The reward that comes with the task. It costs nothing, so it is known for all episodes. This run does not learn from"
        + " it.",
    wce: "Worst-case error: how far the paid episodes, with their weights, can be from representing all episodes, as the kernel sees"
        + " them. Smaller is better. It has no unit: compare it with that of a random choice of as many episodes.",
    lambda: "The logarithm of how much rewards vary that similar steps have in common: the kernel of a step with itself is e^λ. The unit"
        + " is that of standardised rewards, so λ = 0 is all of their variance.",
    sigma: "The logarithm of the noise: e^σ is the part of a reward's variance that says nothing about any other step. Where σ is not"
        + " far below λ, paying for an episode says little about similar ones.",
    "expected-error": "The squared error that the gradient is expected to have because rewards are estimated and not paid for. 1 is the"
        + " error that it has anyway because only some episodes were sampled. At 0.1, one more reward would hardly matter.",
    "handed-out": "How often an item was handed out to be scored. Each time counts against the limit, also if the same item is handed out"
        + " again because no score came; an item that was abandoned as free does not count.",
    "item-error": "The root mean square error that the estimate of an item is expected to have, plus that of the mean of all: without"
        + " any score of the round, with those of the chosen items, and with those of as many random items. In the unit of scores.",
    inflation: "How many times larger the squared errors of earlier forecasts were than forecast. 1 means that forecasts were right."
        + " Expected errors are multiplied by it.",
};

const CLOSE_MILLISECONDS = 150;
const MARGIN = 8;
let count = 0;

/**
 * A term with its explanation.
 *
 * @param {keyof TEXTS & string} name
 * @param {string} label
 * @returns {HTMLElement}
 */
export function term(name, label) {
    const button = element("button", { type: "button", "data-term": name }, label);
    explain(button);
    return button;
}

/** Adds the explanations to all terms that are part of the page. */
export function explainTerms() {
    document.querySelectorAll("button[data-term]").forEach((button) => explain(/** @type {HTMLElement} */ (button)));
}

/** @param {HTMLElement} button */
function explain(button) {
    const text = TEXTS[button.dataset.term ?? ""];
    const description = element("span", { class: "visually-hidden", id: `term-${++count}` }, text);
    const tip = element("span", { class: "tip term-tip", "aria-hidden": "true", hidden: true }, text);
    button.classList.add("term");
    button.setAttribute("aria-describedby", description.id);
    document.body.append(description, tip); // not beside the button, which may be part of a heading
    let timer = 0;
    const show = () => {
        window.clearTimeout(timer);
        tip.hidden = false;
        place(tip, button);
    };
    const hide = () => {
        window.clearTimeout(timer);
        tip.hidden = true;
    };
    for (const part of [button, tip]) {
        part.addEventListener("pointerenter", (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && show());
        part.addEventListener("pointerleave", (/** @type {PointerEvent} */ event) => {
            if (event.pointerType === "mouse" && document.activeElement !== button) {
                timer = window.setTimeout(hide, CLOSE_MILLISECONDS);
            }
        });
    }
    button.addEventListener("focus", show);
    button.addEventListener("click", () => {
        button.focus(); // some browsers do not focus a button that was tapped
        show();
    });
    button.addEventListener("blur", hide);
    button.addEventListener("keydown", (event) => {
        if (event.key === "Escape") {
            hide();
        }
    });
}

/**
 * Places an explanation below its term, within the window.
 *
 * @param {HTMLElement} tip
 * @param {HTMLElement} button
 */
function place(tip, button) {
    const of = button.getBoundingClientRect();
    const left = Math.max(MARGIN, Math.min(of.left, document.documentElement.clientWidth - tip.offsetWidth - MARGIN));
    const below = of.bottom + tip.offsetHeight + MARGIN <= window.innerHeight;
    tip.style.left = `${left + window.scrollX}px`;
    tip.style.top = `${(below ? of.bottom : of.top - tip.offsetHeight) + window.scrollY}px`;
}
