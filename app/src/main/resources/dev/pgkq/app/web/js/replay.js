// @ts-check
/**
 * Plays one episode: the pictures that its environment rendered, a side view of the figure, or a plot of its states. Needs only
 * the rules of style.css.
 *
 *     const replay = new Replay(element, { figure, states, rewards });
 *     replay.load({ states, rewards });        // another episode of the same figure
 *
 * Keys: space plays and pauses, left and right step, Home and End jump. The element receives "replay-step" at each step and
 * "replay-end" after the last.
 */
import { between, capsules, extent, frames, limbs } from "./figure.js";
import { element, onAppearanceChange, reducedMotion } from "./dom.js";
import { duration, number } from "./format.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4];
/** Simulated seconds per step if the figure does not state them. */
const SECONDS = 0.05;
const STRIP = 46;
const TRAIL_SECONDS = 3;
/** The smallest distance of two metre marks, which have labels. */
const MARK_PIXELS = 36;

/**
 * @typedef {import("./figure.js").Figure} Figure
 * @typedef {import("./frames.js").Pictures} Pictures
 * @typedef {{states: number[][], rewards?: number[] | null, unpaid?: string, pictures?: Pictures | null, missing?: string}} Recorded
 *     states has one row more than the number of steps; missing: why there are no pictures, "" if that needs no reason
 * @typedef {{figure?: Figure | null, states: number[][], rewards?: number[] | null, pictures?: Pictures | null, missing?: string, autoplay?: boolean, loop?: boolean,
 *     speed?: number, keys?: EventTarget, height?: number, label?: string, unpaid?: string, beside?: number[][][]}} Options
 *     autoplay is ignored if the system asks for reduced motion; keys: the target of key events, by default the element itself;
 *     height of the picture in CSS pixels; label for screen readers; unpaid: shown if there are no rewards, "" for nothing;
 *     beside: the states of episodes that are shown at the same scale, to be compared with this one
 */

export class Replay {
    /**
     * @param {HTMLElement} host
     * @param {Options} options
     */
    constructor(host, options) {
        this.host = host;
        this.figure = options.figure ?? null;
        this.limbs = this.figure ? limbs(this.figure) : [];
        this.seconds = this.figure?.seconds || SECONDS;
        /** @type {Pictures["pictures"]} */
        this.pictures = [];
        this.loop = options.loop ?? false;
        this.speed = options.speed ?? 1;
        this.height = options.height ?? 320;
        this.beside = options.beside ?? [];
        this.unpaid = options.unpaid ?? "No rewards: this episode was not paid for.";
        /** Position in steps, fractional during playback. */
        this.position = 0;
        this.playing = false;
        this.frame = 0;
        this.clock = 0;
        /** @type {number[][]} */
        this.states = [];
        /**
         * The episodes that determine the scale.
         *
         * @type {number[][][]}
         */
        this.scaled = [];
        /** @type {number[] | null} */
        this.rewards = null;
        this.build(options.label ?? "Episode");
        this.keys = options.keys ?? host;
        this.onKey = (/** @type {Event} */ event) => this.key(/** @type {KeyboardEvent} */ (event));
        this.keys.addEventListener("keydown", this.onKey);
        this.stopObserving = onAppearanceChange(this.canvas, () => this.resize());
        this.load(options);
        if (options.autoplay && !reducedMotion()) {
            this.play();
        }
    }

    /** @param {string} label */
    build(label) {
        this.canvas = element("canvas", { class: "replay-view", role: "img", "aria-label": `${label}, side view` });
        this.strip = element("canvas", { class: "replay-strip", "aria-hidden": "true" });
        this.note = element("p", { class: "replay-note" });
        this.toggleButton = element("button", { type: "button", class: "replay-play", click: () => this.toggle() });
        this.slider = element("input", {
            type: "range", min: 0, step: 1, value: 0, "aria-label": "Step of the episode",
            input: () => {
                this.pause();
                this.seek(Number(this.slider.value));
            },
        });
        const back = element("button", { type: "button", "aria-label": "One step back", title: "One step back (←)",
            click: () => this.nudge(-1) }, "‹");
        const forward = element("button", { type: "button", "aria-label": "One step forward", title: "One step forward (→)",
            click: () => this.nudge(1) }, "›");
        this.speeds = element("select", { "aria-label": "Speed",
            change: () => { this.speed = Number(this.speeds.value); } },
        ...SPEEDS.map((speed) => element("option", { value: speed, selected: speed === this.speed },
            `${speed === 0.25 ? "¼" : speed === 0.5 ? "½" : speed} ×`)));
        this.readout = element("output", { class: "replay-readout" });
        const seek = (/** @type {PointerEvent} */ event) => {
            if (event.type === "pointerdown") {
                this.strip.setPointerCapture(event.pointerId);
            } else if (event.buttons === 0) {
                return;
            }
            const box = this.strip.getBoundingClientRect();
            this.pause();
            this.seek(Math.round((event.clientX - box.left) / box.width * this.length));
        };
        this.strip.addEventListener("pointerdown", seek);
        this.strip.addEventListener("pointermove", seek);
        this.host.classList.add("replay");
        this.host.replaceChildren(this.canvas, this.strip, this.note,
            element("div", { class: "replay-controls" }, this.toggleButton, back, forward, this.slider, this.speeds),
            this.readout);
        this.showPlaying();
    }

    /** The number of steps of the episode. */
    get length() {
        return Math.max(0, this.states.length - 1);
    }

    /** The displayed step; 0 is the start. */
    get step() {
        return Math.min(this.length, Math.floor(this.position));
    }

    get ended() {
        return this.step >= this.length;
    }

    /**
     * Loads another episode and shows its start. Playback continues if it was running.
     *
     * @param {Recorded} recorded
     */
    load({ states, rewards, unpaid = this.unpaid, pictures = null, missing = "" }) {
        this.unpaid = unpaid;
        this.pictures = pictures?.pictures ?? [];
        this.seconds = pictures?.seconds || this.figure?.seconds || SECONDS;
        this.states = states;
        this.rewards = rewards ?? null;
        this.slider.max = String(this.length);
        this.scaled = [states, ...this.beside];
        this.box = this.figure && states.length > 0 ? this.view(extent(this.figure, this.scaled.flat())) : null;
        this.strip.hidden = this.rewards === null;
        this.note.textContent = [missing, this.rewards === null ? this.unpaid : ""].filter(Boolean).join(" ");
        this.note.hidden = this.note.textContent === "";
        this.sums = [0];
        (this.rewards ?? []).forEach((reward) => this.sums?.push((this.sums.at(-1) ?? 0) + reward));
        this.seek(0);
        this.resize();
    }

    /** @param {{left: number, right: number, bottom: number, top: number}} box */
    view(box) {
        const ground = this.figure?.ground ?? null;
        const bottom = Math.min(box.bottom, ground ?? Infinity) - 0.14;
        const top = box.top + 0.12;
        const half = (this.figure?.follow ?? -1) < 0 ? 1.3 : 0.8;
        const left = Math.min(box.left, -half);
        const right = Math.max(box.right, half);
        return { left, right, bottom, top };
    }

    play() {
        if (this.ended) {
            this.seek(0);
        }
        this.playing = true;
        this.clock = performance.now();
        this.showPlaying();
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame((now) => this.tick(now));
    }

    pause() {
        this.playing = false;
        cancelAnimationFrame(this.frame);
        this.showPlaying();
    }

    toggle() {
        if (this.playing) {
            this.pause();
        } else {
            this.play();
        }
    }

    /** @param {number} step */
    seek(step) {
        this.position = Math.max(0, Math.min(this.length, step));
        this.draw();
    }

    /** @param {number} steps */
    nudge(steps) {
        this.pause();
        this.seek(this.step + steps);
    }

    destroy() {
        this.pause();
        this.keys.removeEventListener("keydown", this.onKey);
        this.stopObserving();
        this.host.replaceChildren();
    }

    /** @param {number} now */
    tick(now) {
        if (!this.playing || !this.host.isConnected) {
            this.playing = false;
            return;
        }
        // after a pause of the tab, do not jump; and a frame may start before it was requested
        const elapsed = Math.max(0, Math.min(0.1, (now - this.clock) / 1000));
        this.clock = now;
        this.position = Math.min(this.length, this.position + elapsed * this.speed / this.seconds);
        this.draw();
        if (!this.ended) {
            this.frame = requestAnimationFrame((next) => this.tick(next));
            return;
        }
        this.host.dispatchEvent(new CustomEvent("replay-end"));
        if (this.loop && this.length > 0) {
            this.position = 0;
            this.frame = requestAnimationFrame((next) => this.tick(next));
        } else {
            this.pause();
        }
    }

    showPlaying() {
        this.toggleButton.textContent = this.playing ? "❚❚" : "▶";
        this.toggleButton.setAttribute("aria-label", this.playing ? "Pause" : "Play");
        this.toggleButton.title = this.playing ? "Pause (space)" : "Play (space)";
        this.host.dataset.playing = String(this.playing);
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const target = /** @type {HTMLElement} */ (event.target);
        const control = target.closest?.("a, button, select, textarea, [contenteditable], [data-own-keys]");
        const typed = target.closest?.("input:not([type=range])");
        if (event.altKey || event.ctrlKey || event.metaKey || control || typed) {
            return;
        }
        const slides = target.closest?.("input[type=range]") !== null;
        const actions = new Map([[" ", () => this.toggle()]]);
        if (!slides) {
            actions.set("ArrowLeft", () => this.nudge(-1));
            actions.set("ArrowRight", () => this.nudge(1));
            actions.set("Home", () => this.nudge(-Infinity));
            actions.set("End", () => this.nudge(Infinity));
        }
        const action = actions.get(event.key);
        if (action) {
            event.preventDefault();
            action();
        }
    }

    resize() {
        for (const canvas of [this.canvas, this.strip]) {
            const ratio = window.devicePixelRatio || 1;
            const width = canvas.clientWidth;
            const height = canvas === this.strip ? STRIP : Math.min(this.height, Math.max(200, width * 0.6));
            canvas.style.height = `${height}px`;
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
        }
        const style = getComputedStyle(this.host);
        const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
        this.colours = {
            ink: colour("--ink"), soft: colour("--soft"), rule: colour("--rule"), tile: colour("--tile"),
            accent: colour("--accent"), bad: colour("--bad"), font: style.fontFamily,
            limbs: [colour("--limb-0"), colour("--limb-1"), colour("--limb-2"), colour("--limb-3")],
        };
        this.draw();
    }

    draw() {
        if (!this.colours) {
            return;
        }
        this.slider.value = String(this.step);
        const seconds = this.step * this.seconds;
        const words = [`step ${number(this.step)} of ${number(this.length)}`, duration(seconds)];
        if (this.rewards && this.step > 0) {
            words.push(`reward ${number(this.rewards[this.step - 1])}`);
            words.push(`sum so far ${number(this.sums?.[this.step])}`);
        }
        this.readout.textContent = words.join(" · ");
        this.slider.setAttribute("aria-valuetext", words.join(", "));
        this.host.dataset.step = String(this.step);
        this.host.dispatchEvent(new CustomEvent("replay-step", { detail: this.step }));
        if (this.states.length > 0) {
            if (this.pictures.length > 0) {
                this.drawPicture();
            } else if (this.figure) {
                this.drawFigure(this.figure);
            } else {
                this.drawStates();
            }
        }
        this.drawStrip();
    }

    /**
     * Prepares a canvas with its origin at the upper left and CSS pixels as the unit.
     *
     * @param {HTMLCanvasElement} canvas
     */
    pen(canvas) {
        const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        const ratio = window.devicePixelRatio || 1;
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        const width = canvas.width / ratio;
        const height = canvas.height / ratio;
        pen.clearRect(0, 0, width, height);
        return { pen, width, height };
    }

    /** Draws the newest picture up to the displayed step, as large as it fits. */
    drawPicture() {
        const { pen, width, height } = this.pen(this.canvas);
        const { step, image } = this.pictures.findLast((each) => each.step <= this.step) ?? this.pictures[0];
        const scale = Math.min(width / image.width, height / image.height);
        this.host.dataset.picture = String(step);
        pen.imageSmoothingEnabled = scale < 4; // few large pixels are meant to be seen
        pen.drawImage(image, (width - image.width * scale) / 2, (height - image.height * scale) / 2,
            image.width * scale, image.height * scale);
    }

    /** @param {Figure} figure */
    drawFigure(figure) {
        const { pen, width, height } = this.pen(this.canvas);
        const box = this.box;
        const colours = this.colours;
        if (!box || !colours || width === 0) {
            return;
        }
        const at = this.step;
        const state = at < this.length
            ? between(this.states[at], this.states[at + 1], this.position - at)
            : this.states[at];
        const scale = Math.min(width / (box.right - box.left), height / (box.top - box.bottom));
        this.host.dataset.scale = scale.toFixed(3);
        const follows = figure.follow >= 0;
        const centre = (follows ? frames(figure, state)[figure.follow][0] : 0) + (box.left + box.right) / 2;
        // a scene lower than the picture is placed at its lower edge
        const x = (/** @type {number} */ world) => width / 2 + (world - centre) * scale;
        const y = (/** @type {number} */ world) => height - (world - box.bottom) * scale;
        this.drawGround(pen, figure.ground, { width, height, x, y, from: centre - width / 2 / scale, to: centre + width / 2 / scale });
        if (follows) {
            this.drawTrail(pen, figure, x, y);
        }
        pen.lineCap = "round";
        for (const { from, to, radius, body } of capsules(figure, state)) {
            const limb = body < 0 ? 0 : this.limbs[body];
            for (const [colour, thick] of [[colours.ink, radius * scale * 2], [colours.limbs[limb % 4], radius * scale * 2 - 2.4]]) {
                pen.strokeStyle = String(colour);
                pen.lineWidth = Math.max(1, Number(thick));
                pen.beginPath();
                pen.moveTo(x(from[0]), y(from[1]));
                pen.lineTo(x(to[0]) + 0.01, y(to[1]));
                pen.stroke();
            }
        }
    }

    /**
     * @param {CanvasRenderingContext2D} pen
     * @param {number | null} ground
     * @param {{width: number, height: number, x: (v: number) => number, y: (v: number) => number, from: number,
     *     to: number}} view
     */
    drawGround(pen, ground, { width, height, x, y, from, to }) {
        const colours = this.colours;
        if (!colours) {
            return;
        }
        const level = y(ground ?? 0);
        pen.font = `11px ${colours.font}`;
        pen.textAlign = "center";
        pen.textBaseline = "bottom";
        const every = [1, 2, 5, 10, 20, 50].find((metres) => x(metres) - x(0) >= MARK_PIXELS) ?? 100;
        for (let metre = Math.floor(from); metre <= to; metre++) {
            if (ground !== null) {
                pen.fillStyle = metre % 2 === 0 ? colours.tile : colours.rule;
                pen.fillRect(x(metre), level, x(metre + 1) - x(metre), height - level);
            }
            if (metre % every !== 0) {
                continue;
            }
            pen.strokeStyle = colours.rule;
            pen.lineWidth = 1;
            pen.beginPath();
            pen.moveTo(x(metre), 18);
            pen.lineTo(x(metre), level);
            pen.stroke();
            pen.fillStyle = colours.soft;
            pen.fillText(`${metre < 0 ? "−" : ""}${Math.abs(metre)} m`, x(metre), 15);
        }
        pen.strokeStyle = ground === null ? colours.rule : colours.soft;
        pen.lineWidth = 1.5;
        pen.beginPath();
        pen.moveTo(0, level);
        pen.lineTo(width, level);
        pen.stroke();
    }

    /**
     * Draws the trail of the followed body.
     *
     * @param {CanvasRenderingContext2D} pen
     * @param {Figure} figure
     * @param {(v: number) => number} x
     * @param {(v: number) => number} y
     */
    drawTrail(pen, figure, x, y) {
        const steps = Math.ceil(TRAIL_SECONDS / this.seconds);
        pen.fillStyle = this.colours?.accent ?? "";
        const stride = Math.max(1, Math.round(0.06 / this.seconds));
        const first = Math.max(0, this.step - steps);
        for (let t = first - first % stride; t < this.step; t += stride) {
            const [u, w] = frames(figure, this.states[t])[figure.follow];
            pen.globalAlpha = 0.1 + 0.6 * Math.max(0, 1 - (this.step - t) / steps);
            pen.beginPath();
            pen.arc(x(u), y(w), 2, 0, 2 * Math.PI);
            pen.fill();
        }
        pen.globalAlpha = 1;
    }

    /** Plots each number of the state in its own lane. */
    drawStates() {
        const { pen, width, height } = this.pen(this.canvas);
        const colours = this.colours;
        if (!colours) {
            return;
        }
        const lanes = Math.min(8, this.states[0].length);
        const lane = height / lanes;
        const left = 62;
        const scaled = this.scaled.flat();
        const longest = Math.max(2, ...this.scaled.map((states) => states.length)) - 1;
        const x = (/** @type {number} */ t) => left + (width - left - 6) * t / longest;
        pen.font = `11px ${colours.font}`;
        pen.textBaseline = "middle";
        for (let i = 0; i < lanes; i++) {
            const values = this.states.map((state) => state[i]);
            const range = scaled.map((state) => state[i]);
            const low = Math.min(...range);
            const high = Math.max(...range);
            const y = (/** @type {number} */ v) => (i + 0.88) * lane - 0.76 * lane * (high > low ? (v - low) / (high - low) : 0.5);
            pen.fillStyle = colours.soft;
            pen.fillText(`state ${i}`, 6, (i + 0.5) * lane);
            pen.strokeStyle = colours.rule;
            pen.lineWidth = 1;
            pen.beginPath();
            pen.moveTo(0, (i + 1) * lane);
            pen.lineTo(width, (i + 1) * lane);
            pen.stroke();
            pen.strokeStyle = colours.accent;
            pen.lineWidth = 1.6;
            pen.beginPath();
            values.forEach((value, t) => pen.lineTo(x(t), y(value)));
            pen.stroke();
            pen.fillStyle = colours.ink;
            pen.beginPath();
            pen.arc(x(this.step), y(values[this.step]), 3.2, 0, 2 * Math.PI);
            pen.fill();
        }
        this.cursor(pen, x(this.position), height);
    }

    /** Draws the reward of each step, as bars up and down from zero. */
    drawStrip() {
        const rewards = this.rewards;
        const colours = this.colours;
        if (!rewards || !colours || this.strip.width === 0) {
            return;
        }
        const { pen, width, height } = this.pen(this.strip);
        const low = Math.min(0, ...rewards);
        const high = Math.max(0, ...rewards);
        const y = (/** @type {number} */ v) => 3 + (height - 6) * (high > low ? (high - v) / (high - low) : 0.5);
        const bar = width / Math.max(1, rewards.length);
        rewards.forEach((reward, t) => {
            pen.fillStyle = reward < 0 ? colours.bad : colours.accent;
            pen.globalAlpha = t < this.step ? 1 : 0.4;
            pen.fillRect(t * bar, Math.min(y(0), y(reward)), Math.max(0.6, bar - (bar > 4 ? 1 : 0)), Math.abs(y(reward) - y(0)));
        });
        pen.globalAlpha = 1;
        pen.fillStyle = colours.soft;
        pen.fillRect(0, y(0), width, 1);
        this.cursor(pen, Math.min(width - 1, this.position * bar), height);
    }

    /**
     * @param {CanvasRenderingContext2D} pen
     * @param {number} x
     * @param {number} height
     */
    cursor(pen, x, height) {
        pen.fillStyle = this.colours?.ink ?? "";
        pen.fillRect(x - 0.75, 0, 1.5, height);
    }
}
