// @ts-check
/**
 * Server-sent events. After an interruption the browser continues where it stopped (Last-Event-ID). If it has stopped trying, a
 * new connection states how many rows are known. Rows are numbered, so none is lost and none counts twice.
 *
 * A browser limits the connections to a server over all its tabs, so a hidden tab closes its connection.
 */
import { ApiError, get, session } from "./api.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;
const HIDDEN_WAIT = 20000;

/**
 * @typedef {"connecting" | "live" | "reconnecting" | "paused"} Link
 * @typedef {{[event: string]: (data: any) => void}} Handlers by event name
 */

export class Feed {
    /**
     * @param {string[]} runs ids
     * @param {(run: string) => number} knownRows number of known rows of a run
     * @param {Handlers} handlers
     * @param {(link: Link) => void} onStatus receives the state of the connection
     * @param {() => void} onReconnect called after an interruption, when events other than rows may have been missed
     * @param {boolean} [all] whether to receive the state of all runs
     */
    constructor(runs, knownRows, handlers, onStatus, onReconnect, all = false) {
        this.runs = runs;
        this.knownRows = knownRows;
        this.handlers = handlers;
        this.onStatus = onStatus;
        this.onReconnect = onReconnect;
        this.all = all;
        this.wait = FIRST_WAIT;
        this.broken = false;
        this.timer = 0;
        this.pauseTimer = 0;
        /** @type {EventSource | null} */
        this.source = null;
        this.onVisibilityChange = () => this.visibilityChanged();
        document.addEventListener("visibilitychange", this.onVisibilityChange);
        onStatus("connecting");
        this.connect();
    }

    /** @returns {string} */
    address() {
        const from = this.runs.map((run) => this.knownRows(run));
        return `/api/events?runs=${this.runs.map(encodeURIComponent).join(",")}&from=${from.join(",")}${this.all ? "&states=all" : ""}`;
    }

    connect() {
        const source = new EventSource(this.address());
        this.source = source;
        source.onopen = () => {
            this.wait = FIRST_WAIT;
            this.onStatus("live");
            if (this.broken) {
                this.broken = false;
                this.onReconnect();
            }
        };
        source.onerror = () => {
            this.broken = true;
            this.onStatus("reconnecting");
            if (source.readyState === EventSource.CLOSED && this.source === source) {
                // the browser has stopped trying: a proxy answered instead of the server, or the server has too many viewers
                this.timer = window.setTimeout(() => this.reconnect(source), this.wait);
                this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
            }
        };
        for (const [name, handle] of Object.entries(this.handlers)) {
            source.addEventListener(name, (event) => handle(JSON.parse(/** @type {MessageEvent} */ (event).data)));
        }
    }

    /**
     * Reconnects with a session, because viewers with a session have their own quota.
     *
     * @param {EventSource} before
     */
    async reconnect(before) {
        await session(true).catch(() => {});
        if (this.source === before) {
            this.connect();
        }
    }

    /** The tab was hidden or shown. */
    visibilityChanged() {
        window.clearTimeout(this.pauseTimer);
        if (document.visibilityState === "hidden") {
            this.pauseTimer = window.setTimeout(() => {
                this.disconnect();
                this.onStatus("paused");
            }, HIDDEN_WAIT);
        } else if (this.source === null) {
            this.broken = true;
            this.connect();
        }
    }

    disconnect() {
        window.clearTimeout(this.timer);
        this.source?.close();
        this.source = null;
    }

    close() {
        window.clearTimeout(this.pauseTimer);
        document.removeEventListener("visibilitychange", this.onVisibilityChange);
        this.disconnect();
    }
}

/** All metrics of a run. A row that is not the next one causes all rows to be read again. */
export class Rows {
    /**
     * @param {string} run id
     * @param {() => void} changed
     */
    constructor(run, changed) {
        this.run = run;
        this.changed = changed;
        /** @type {string[]} */
        this.columns = [];
        /** @type {(number | null)[][]} */
        this.rows = [];
        /** @type {Promise<void> | null} */
        this.reading = null;
        this.stale = false;
        this.wait = FIRST_WAIT;
        this.timer = 0;
    }

    /** Reads all rows, and retries after a failure: nothing else would until the next row, which may be far off. */
    async readAgain() {
        window.clearTimeout(this.timer);
        try {
            await this.read();
            this.wait = FIRST_WAIT;
        } catch (error) {
            if (error instanceof ApiError && error.status === 404) {
                return; // the run was deleted
            }
            this.timer = window.setTimeout(() => this.readAgain(), this.wait);
            this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
        }
    }

    /** Reads all rows. Calls during a read cause one more read. */
    async read() {
        if (this.reading) {
            this.stale = true;
            return this.reading;
        }
        this.reading = (async () => {
            do {
                this.stale = false;
                const metrics = await get(`/api/runs/${encodeURIComponent(this.run)}/metrics`);
                this.columns = metrics.columns;
                this.rows = metrics.rows;
            } while (this.stale);
        })();
        try {
            await this.reading;
        } finally {
            this.reading = null;
        }
        this.changed();
    }

    /**
     * Adds a row that the server sent.
     *
     * @param {number} seq its number, from 1
     * @param {(number | null)[]} row
     */
    add(seq, row) {
        if (this.reading) {
            this.stale = true;
        } else if (seq === this.rows.length + 1 && this.columns.length === row.length) {
            this.rows.push(row);
            this.changed();
        } else if (seq > this.rows.length || String(this.rows[seq - 1]) !== String(row)) {
            this.readAgain();
        }
    }

    /**
     * The values of a column, null where missing.
     *
     * @param {string} name
     * @returns {(number | null)[]}
     */
    column(name) {
        const index = this.columns.indexOf(name);
        return this.rows.map((row) => (index < 0 ? null : row[index]));
    }

    /** @param {string} name */
    has(name) {
        const index = this.columns.indexOf(name);
        return index >= 0 && this.rows.some((row) => row[index] !== null);
    }

    /** The stages, with their seconds in each iteration. */
    stages() {
        return this.columns.filter((name) => name.startsWith("seconds_")).map((name) => ({
            name: name.slice("seconds_".length),
            seconds: this.column(name).map((value) => value ?? 0),
        }));
    }

    /** Cumulative seconds of training at the end of each iteration. */
    wallTime() {
        const stages = this.stages();
        let sum = 0;
        return this.rows.map((_, i) => {
            stages.forEach((stage) => { sum += stage.seconds[i]; });
            return sum;
        });
    }
}
