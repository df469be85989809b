// @ts-check
/** Builds pages without markup in strings, so that text from disk is only ever inserted as text. */

/**
 * Creates an element. Attributes that are true are set without a value; those that are false, null or undefined are omitted. A
 * function becomes an event listener.
 *
 * @param {string} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {any}
 */
export function element(name, attributes = {}, ...children) {
    const created = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            created.addEventListener(key, /** @type {EventListener} */ (value));
        } else if (value === true) {
            created.setAttribute(key, "");
        } else if (value !== false && value !== null && value !== undefined) {
            created.setAttribute(key, String(value));
        }
    }
    for (const child of children) {
        if (child !== null && child !== undefined) {
            created.append(child);
        }
    }
    return created;
}

/**
 * Returns the element with this id.
 *
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
    const found = document.getElementById(id);
    if (!found) {
        throw new Error(`the page has no element "${id}"`);
    }
    return found;
}

/**
 * Creates a row of buttons of which one is selected.
 *
 * @template {string} T
 * @param {string} label for screen readers
 * @param {[T, string][]} choices values and their labels
 * @param {T} chosen
 * @param {(value: T) => void} changed
 * @returns {{element: HTMLElement, choose: (value: T) => void, allow: (values: T[]) => void}}
 */
export function choice(label, choices, chosen, changed) {
    const group = element("div", { class: "choice", role: "group", "aria-label": label });
    /** @type {Map<T, HTMLButtonElement>} */
    const buttons = new Map();
    /** @param {T} value */
    const choose = (value) => {
        buttons.forEach((button, of) => button.setAttribute("aria-pressed", String(of === value)));
    };
    for (const [value, text] of choices) {
        const button = element("button", { type: "button", "data-value": value, click: () => {
            choose(value);
            changed(value);
        } }, text);
        buttons.set(value, button);
        group.append(button);
    }
    choose(chosen);
    return {
        element: group,
        choose,
        allow: (values) => {
            buttons.forEach((button, of) => { button.hidden = !values.includes(of); });
            group.hidden = values.length < 2; // nothing to choose
        },
    };
}

/** Whether the system asks for reduced motion. */
export function reducedMotion() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Calls back when the colour scheme or the size of an element changes.
 *
 * @param {Element} observed
 * @param {() => void} redraw
 * @returns {() => void} stops the observation
 */
export function onAppearanceChange(observed, redraw) {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let width = -1;
    const sizes = new ResizeObserver((entries) => {
        const now = Math.round(entries[0].contentRect.width);
        if (now !== width) {
            width = now;
            redraw();
        }
    });
    sizes.observe(observed);
    dark.addEventListener("change", redraw);
    return () => {
        sizes.disconnect();
        dark.removeEventListener("change", redraw);
    };
}
