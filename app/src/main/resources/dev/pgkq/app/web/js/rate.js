// @ts-check
/**
 * The rating page: takes an item from the queue, plays it, sends the rating and continues with the next. The server makes all
 * decisions. The page may be closed, reloaded or disconnected at any time; the lease keeps its item.
 */
import { ApiError, get, post, session } from "./api.js";
import { byId, element } from "./dom.js";
import { picturesOf } from "./frames.js";
import { showError } from "./parts.js";
import { Replay } from "./replay.js";

/**
 * @typedef {{iteration: number, index: number}} Place
 * @typedef {{key: string, leaseSeconds: number, iteration?: number, index?: number, a?: Place, b?: Place}} Item
 * @typedef {{mode: "scale"|"compare", scale?: {low: number, high: number, lowLabel: string, highLabel: string},
 *     state: string, iteration: number, episodes: number, open: number, rated: number, perEpisode: number, closesIn: number|null,
 *     raters: {name: string, ratings: number}[],
 *     latest: {iteration: number, index: number, value: number, error: number|null}[]}} Status
 */

const POLL_MILLIS = 1000;
/** A page without input for this long is considered abandoned, and its lease is no longer renewed. */
const ABANDONED_MILLIS = 180_000;
/** Episodes shorter than this are played more slowly, because they are hard to see at full speed. */
const SHORT_SECONDS = 1.5;
const HOSTS = ["first", "second"];
const NAMES = ["A", "B"];

const id = new URLSearchParams(location.search).get("run");
const base = `/api/runs/${encodeURIComponent(id ?? "")}`;

/** @type {Status|null} */
let status = null;
/** @type {Item|null} */
let item = null;
/** @type {Promise<any>|null} */
let figure = null;
/** @type {Replay[]} */
let replays = [];
/** Actions run one after another, so that a key pressed during a request is not lost. */
let queue = Promise.resolve();
let hasName = false;
let lastInput = Date.now();
let lastRenewal = Date.now();

/** @param {"name-form"|"run-choice"|"wait"|"item"} part */
function show(part) {
    for (const other of ["name-form", "run-choice", "wait", "item"]) {
        byId(other).hidden = other !== part;
    }
    byId("actions").hidden = part !== "item" && part !== "wait";
    byId("replay").hidden = byId("skip").hidden = part !== "item";
}

/* ---- display ---- */

function drawStatus() {
    if (!status) {
        return;
    }
    byId("status").hidden = false;
    const progress = byId("progress");
    progress.max = Math.max(1, status.open);
    progress.value = status.rated;
    const unit = status.mode === "compare" ? "pairs compared" : "episodes rated";
    const others = status.raters.map((rater) => rater.name);
    byId("counts").textContent = status.episodes === 0
        ? `Iteration ${status.iteration} is complete`
        : `Iteration ${status.iteration}: ${status.rated} of ${status.open} ${unit}`
            + (status.perEpisode > 1 ? `, each by ${status.perEpisode} people` : "")
            + (others.length > 1 ? ` · raters: ${others.join(", ")}` : "");
    drawClosing(status.closesIn);
    drawResults(status);
}

/**
 * Shows the countdown. Screen readers announce it only once, when it starts.
 *
 * @param {number|null} seconds
 */
function drawClosing(seconds) {
    byId("countdown").textContent = seconds === null ? "" : `Iteration closes in ${seconds} s`;
    const announcement = byId("countdown-announcement");
    if (seconds === null || announcement.textContent === "") {
        announcement.textContent = seconds === null ? "" : `Everything is rated. The iteration closes in ${seconds} seconds.`;
    }
}

/** @param {Status} now */
function drawResults(now) {
    byId("results-panel").hidden = now.latest.length === 0;
    if (now.latest.length === 0) {
        return;
    }
    byId("results-title").textContent = `Results of iteration ${now.latest[0].iteration}`;
    byId("results").replaceChildren(...now.latest.map((result) => element("li", {},
        `episode ${result.index} `, element("b", {}, result.value.toFixed(now.mode === "compare" ? 2 : 1)),
        result.error === null ? "" : ` ± ${result.error.toFixed(2)}`)));
}

/** Maps keys to numbers of the scale: by digit if possible, otherwise by position in the row of digit keys. */
function keys() {
    const { low, high } = /** @type {NonNullable<Status["scale"]>} */ (status?.scale);
    /** @type {Map<string, number>} */
    const map = new Map();
    if (low >= 0 && high <= 9) {
        for (let value = low; value <= high; value++) {
            map.set(String(value), value);
        }
    } else if (low >= 0 && high === 10) {
        for (let value = Math.max(1, low); value <= 9; value++) {
            map.set(String(value), value);
        }
        map.set("0", low === 0 ? 0 : 10);
        if (low === 0) {
            map.set("x", 10);
        }
    } else {
        for (let i = 0; i <= Math.min(9, high - low); i++) {
            map.set(String((i + 1) % 10), low + i);
        }
    }
    return map;
}

function drawAnswers() {
    const answers = byId("answers");
    const pair = status?.mode === "compare";
    answers.classList.toggle("pair", pair);
    byId("scale-labels").hidden = pair;
    if (pair) {
        answers.replaceChildren(
            answer("a", "A is better", "A", () => compare("a")),
            answer("tie", "Equal", "T", () => compare("tie")),
            answer("b", "B is better", "B", () => compare("b")));
        return;
    }
    const scale = status?.scale;
    if (!scale) {
        return;
    }
    const byValue = new Map([...keys()].map(([key, value]) => [value, key]));
    const buttons = [];
    for (let value = scale.low; value <= scale.high; value++) {
        const key = byValue.get(value) ?? "";
        const label = value === scale.low ? scale.lowLabel : value === scale.high ? scale.highLabel : "";
        const button = answer(String(value), String(value), key === String(value) ? "" : key.toUpperCase(), () => rate(value));
        if (label) {
            button.setAttribute("aria-label", `${value}: ${label}`);
        }
        buttons.push(button);
    }
    answers.replaceChildren(...buttons);
    byId("low-label").textContent = scale.lowLabel && `${scale.low} ${scale.lowLabel}`;
    byId("high-label").textContent = scale.highLabel && `${scale.high} ${scale.highLabel}`;
}

/**
 * @param {string} value
 * @param {string} text
 * @param {string} key
 * @param {() => void} click
 */
function answer(value, text, key, click) {
    return element("button", { type: "button", "data-value": value, click }, text, key ? element("kbd", {}, key) : null);
}

/** @param {Item} next */
async function showItem(next) {
    if (item?.key === next.key && !byId("item").hidden) {
        return;
    }
    item = next;
    lastRenewal = Date.now();
    const pair = next.a !== undefined && next.b !== undefined;
    byId("question").textContent = pair ? "Which is better?" : "How good is this?";
    byId("stage").classList.toggle("two", pair);
    byId("second").hidden = !pair;
    drawAnswers();
    show("item");
    // No button is focused, so that space or Enter cannot rate the next episode by accident.
    byId("question").focus({ preventScroll: true });
    replays.forEach((replay) => replay.destroy());
    replays = [];
    byId("item").dataset.key = next.key;
    setReady(false);
    const places = pair ? [next.a, next.b] : [{ iteration: next.iteration, index: next.index }];
    const shape = await loadFigure().catch(() => null);
    const loaded = await Promise.all(places.map((of, i) => load(next, /** @type {Place} */ (of), i, pair, shape !== null)));
    if (item !== next) {
        return;
    }
    // Very short episodes are slowed down. Both episodes of a pair get the same speed and scale, because they are compared.
    const seconds = Math.max(...loaded.map((episode) =>
        (episode.states.length - 1) * (episode.pictures?.seconds || shape?.seconds || 0.05)));
    const speed = seconds < SHORT_SECONDS / 2 ? 0.25 : seconds < SHORT_SECONDS ? 0.5 : 1;
    loaded.forEach((episode, i) => {
        // The task's own reward is hidden, so that it does not influence the rater.
        replays.push(new Replay(byId(HOSTS[i]), { figure: shape, states: episode.states, pictures: episode.pictures, missing: episode.missing, rewards: null, unpaid: "",
            beside: loaded.map((other) => other.states), autoplay: true, speed, height: pair ? 260 : 360, label: pair ? `Episode ${NAMES[i]}` : "Episode" }));
    });
    setReady(true);
}

/**
 * Enables the answers once the episode is displayed. Until then only skip and undo work.
 *
 * @param {boolean} ready
 */
function setReady(ready) {
    byId("item").dataset.ready = String(ready);
    for (const button of byId("answers").querySelectorAll("button")) {
        button.disabled = !ready;
    }
}

function isReady() {
    return item !== null && byId("item").dataset.ready === "true";
}

/**
 * Loads an episode, retrying for as long as its item is displayed.
 *
 * @param {Item} of the displayed item; it may change before the episode has loaded
 * @param {Place} where
 * @param {number} i
 * @param {boolean} pair
 * @param {boolean} hasFigure whether it can be drawn without pictures
 * @returns {Promise<{states: number[][], pictures: import("./frames.js").Pictures | null, missing: string}>}
 */
async function load(of, where, i, pair, hasFigure) {
    const host = byId(HOSTS[i]);
    pair ? host.setAttribute("data-name", NAMES[i]) : host.removeAttribute("data-name");
    host.replaceChildren(element("p", { class: "placeholder" }, "Loading …"));
    while (item === of) {
        try {
            const address = `${base}/iterations/${where.iteration}/episodes/${where.index}`;
            const { states, frames } = await get(address);
            const loaded = await picturesOf(address, frames);
            if (loaded.missing && !hasFigure && states[0].length === 0) {
                throw new Error(`${loaded.missing} There is nothing else to show: skip it.`);
            }
            return { states, ...loaded };
        } catch (error) {
            const gone = error instanceof ApiError && error.status === 404;
            host.replaceChildren(element("p", { class: "placeholder" }, gone
                ? "This episode is not on disk and cannot be rated yet. If it does not appear, skip it."
                : `${error instanceof Error ? error.message : error}`));
            await new Promise((wake) => setTimeout(wake, POLL_MILLIS));
        }
    }
    return { states: [], pictures: null, missing: "" };
}

/** The task's figure; null if it has none. */
function loadFigure() {
    figure ??= get(`${base}/figure`).catch((error) => {
        figure = null;
        if (error instanceof ApiError && error.status === 404) {
            return null;
        }
        throw error;
    });
    return figure;
}

/**
 * Why there is nothing to rate.
 *
 * @param {string} state of the run
 */
function reason(state) {
    switch (state) {
        case "finished":
            return "thank you: there is nothing left to rate";
        case "stopped":
        case "failed":
            return "training has stopped. There will be something to rate when it is resumed";
        default:
            return "nothing to rate at the moment: training is in progress";
    }
}

/** @param {string} why */
function showWait(why) {
    item = null;
    byId("wait-reason").textContent = why.charAt(0).toUpperCase() + why.slice(1) + ".";
    if (byId("wait").hidden) {
        replays.forEach((replay) => replay.destroy());
        replays = [];
        show("wait");
        byId("wait-title").focus({ preventScroll: true });
    }
    const finished = status?.state === "finished";
    byId("wait-title").textContent = finished ? "The run is finished" : "Thank you";
    byId("wait-note").hidden = finished;
    if (finished) {
        byId("actions").hidden = true;
        byId("message").textContent = "";
    }
}

/**
 * Sends a rater's request. A restarted server may not know the rater's name; it is then sent again and the request repeated.
 *
 * @param {string} path
 * @param {object} [body]
 */
async function send(path, body = {}) {
    try {
        return await post(path, body);
    } catch (error) {
        const name = byId("rater").textContent ?? "";
        if (!(error instanceof ApiError) || error.status !== 409 || name === "" || (await session(true)).name !== "") {
            throw error;
        }
        await post("/api/session", { name });
        await session(true);
        return post(path, body);
    }
}

/* ---- actions of the rater ---- */

/**
 * @param {() => Promise<void>} action
 * @returns {Promise<void>}
 */
function enqueue(action) {
    queue = queue.then(action).catch(showError);
    return queue;
}

/**
 * Performs an action and continues with the next item.
 *
 * @param {() => Promise<string>} action returns a message that describes the action
 */
function perform(action) {
    lastInput = Date.now();
    enqueue(async () => {
        if (!hasName) {
            return;
        }
        try {
            byId("message").textContent = await action();
            showError(null);
        } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 409) {
                throw error;
            }
            byId("message").textContent = error.message;
            showError(null);
        }
        await next();
    });
}

/** @param {number} value */
function rate(value) {
    const rated = item;
    if (rated && isReady()) {
        perform(async () => {
            status = await send(`${base}/rating/rate`, { key: rated.key, value });
            drawStatus();
            return `Rated ${value}. You can undo this.`;
        });
    }
}

/** @param {"a"|"b"|"tie"} winner */
function compare(winner) {
    const compared = item;
    if (compared && isReady()) {
        perform(async () => {
            status = await send(`${base}/rating/compare`, { key: compared.key, winner });
            drawStatus();
            return `${winner === "tie" ? "Equal" : `${winner.toUpperCase()} is better`}. You can undo this.`;
        });
    }
}

function undo() {
    perform(async () => {
        const answered = await send(`${base}/rating/undo`);
        showItem(answered.item);
        return "Undone. Rate it again.";
    });
}

function skip() {
    const skipped = item;
    if (skipped) {
        perform(async () => {
            status = await send(`${base}/rating/skip`, { key: skipped.key });
            return "Skipped. It is shown again when nothing else is left.";
        });
    }
}

function replayAgain() {
    lastInput = Date.now();
    for (const replay of replays) {
        replay.seek(0);
        replay.play();
    }
}

/** Takes the next item, or shows why there is none. */
async function next() {
    if (!hasName) {
        return;
    }
    try {
        const answered = await send(`${base}/rating/next`);
        showError(null);
        if (answered.item) {
            showItem(answered.item); // not awaited: loading may take a while, and the item can be skipped meanwhile
        } else {
            showWait(status?.episodes === 0 ? reason(status.state) : answered.why);
        }
    } catch (error) {
        if (error instanceof ApiError && error.status === 404) {
            showWait("training has not requested any ratings yet");
        } else {
            showError(error);
        }
    }
}

/** Polls the status, renews the lease of the displayed item, and takes a new item if there is one. */
async function poll() {
    if (!hasName) {
        return;
    }
    try {
        status = await get(`${base}/rating`);
        showError(null);
        drawStatus();
    } catch (error) {
        if (error instanceof ApiError && error.status === 404) {
            showWait("training has not requested any ratings yet");
        } else {
            showError(error);
        }
        return;
    }
    const visible = document.visibilityState === "visible";
    const active = visible && Date.now() - lastInput < ABANDONED_MILLIS;
    if (!item) {
        if (visible && status && status.rated < status.open) {
            await enqueue(next);
        } else if (status?.episodes === 0) {
            showWait(reason(status.state));
        }
    } else if (active && Date.now() - lastRenewal > item.leaseSeconds * 1000 / 3) {
        await renew(item);
    } else if (status && status.episodes === 0) {
        await enqueue(next);
    }
}

/**
 * Renews the lease of an item, if it is still displayed when its turn comes.
 *
 * @param {Item} shown
 */
function renew(shown) {
    return enqueue(async () => {
        if (item !== shown) {
            return;
        }
        lastRenewal = Date.now();
        try {
            await send(`${base}/rating/renew`, { key: shown.key });
        } catch (error) {
            if (error instanceof ApiError && error.status === 409 && item === shown) {
                byId("message").textContent = error.message;
                item = null;
                await next();
            }
        }
    });
}

/* ---- keys ---- */

document.addEventListener("keydown", (event) => {
    lastInput = Date.now();
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || target.matches("input[type=text], select")) {
        return;
    }
    const inPlayer = target.closest(".replay") !== null;
    const key = event.key.toLowerCase();
    const action = actionFor(key, inPlayer, target.matches("button"));
    if (action) {
        event.preventDefault();
        action();
    }
});
document.addEventListener("pointerdown", () => { lastInput = Date.now(); });

/**
 * @param {string} key
 * @param {boolean} inPlayer whether the focus is in the player, which uses the arrow keys itself
 * @param {boolean} onButton whether a button is focused, which space presses
 * @returns {(() => void)|null}
 */
function actionFor(key, inPlayer, onButton) {
    if (key === "u") {
        return undo;
    }
    if (!item) {
        return null;
    }
    if (key === "s") {
        return skip;
    }
    if (key === " ") {
        return inPlayer || onButton ? null : replayAgain;
    }
    if (!isReady()) {
        return null;
    }
    if (status?.mode === "compare") {
        const winner = { a: "a", b: "b", t: "tie", ...(inPlayer ? {} : { arrowleft: "a", arrowright: "b", arrowdown: "tie" }) }[key];
        return winner ? () => compare(/** @type {"a"|"b"|"tie"} */ (winner)) : null;
    }
    const value = status?.scale ? keys().get(key) : undefined;
    return value === undefined ? null : () => rate(value);
}

/* ---- name and run ---- */

/** @param {string} name */
function setRater(name) {
    hasName = name !== "";
    byId("rater").hidden = !hasName;
    byId("rater").textContent = name;
    if (!hasName) {
        show("name-form");
        byId("name").focus();
    }
}

byId("name-form").addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
        await post("/api/session", { name: byId("name").value });
        showError(null);
        setRater((await session(true)).name);
        await poll();
        await enqueue(next);
    } catch (error) {
        showError(error);
    }
});
byId("rater").addEventListener("click", () => {
    byId("name").value = byId("rater").textContent ?? "";
    item = null;
    setRater("");
});
byId("replay").addEventListener("click", replayAgain);
byId("undo").addEventListener("click", undo);
byId("skip").addEventListener("click", skip);

async function chooseRun() {
    const runs = (await get("/api/runs")).filter((/** @type {{ratable: boolean}} */ run) => run.ratable);
    if (runs.length === 1) {
        location.replace(`/rate.html?run=${encodeURIComponent(runs[0].id)}`);
        return;
    }
    byId("no-runs").hidden = runs.length > 0;
    byId("runs").replaceChildren(...runs.map((/** @type {{id: string, name: string, state: string}} */ run) => element("li", {},
        element("a", { href: `/rate.html?run=${encodeURIComponent(run.id)}` }, run.name), ` ${run.state}`)));
    show("run-choice");
    setTimeout(start, POLL_MILLIS);
}

async function start() {
    try {
        const visitor = await session();
        if (id === null) {
            await chooseRun();
            return;
        }
        byId("run").textContent = id.replaceAll("~", "/");
        byId("run").hidden = false;
        if (visitor.role !== "rater") {
            showError("You can view runs but not rate: log in with the token for raters.");
            return;
        }
        setRater(visitor.name);
        if (hasName) {
            await poll();
            await enqueue(next);
        }
        const loop = async () => {
            await poll();
            setTimeout(loop, POLL_MILLIS);
        };
        setTimeout(loop, POLL_MILLIS);
    } catch (error) {
        showError(error);
        setTimeout(start, POLL_MILLIS);
    }
}

start();
