// @ts-check
/**
 * What the server tells by itself. The browser goes on where it stopped after a short break (Last-Event-ID); after a long
 * one, or when the server was started anew, whoever listens is told to look at everything again. Rows are numbered, so that
 * none is lost and none counts twice.
 */
import { get } from "./api.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;

/**
 * @typedef {"connecting" | "live" | "reconnecting"} Link
 * @typedef {{[event: string]: (data: any) => void}} Handlers by the name of the event
 */

export class Feed {
    /**
     * @param {string[]} runs ids
     * @param {Handlers} handlers
     * @param {(link: Link) => void} tell what to show of the connection
     * @param {() => void} again called when events may have been missed
     */
    constructor(runs, handlers, tell, again) {
        this.address = `/api/events?runs=${runs.map(encodeURIComponent).join(",")}`;
        this.handlers = handlers;
        this.tell = tell;
        this.again = again;
        this.wait = FIRST_WAIT;
        this.broken = false;
        this.timer = 0;
        /** @type {EventSource | null} */
        this.source = null;
        tell("connecting");
        this.connect();
    }

    connect() {
        const source = new EventSource(this.address);
        this.source = source;
        source.onopen = () => {
            this.wait = FIRST_WAIT;
            this.tell("live");
            if (this.broken) {
                this.broken = false;
                this.again();
            }
        };
        source.onerror = () => {
            this.broken = true;
            this.tell("reconnecting");
            if (source.readyState === EventSource.CLOSED && this.source === source) {
                // the browser has given up, as it does when a proxy answers instead of the server
                this.timer = window.setTimeout(() => this.connect(), this.wait);
                this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
            }
        };
        for (const [name, handle] of Object.entries(this.handlers)) {
            source.addEventListener(name, (event) => handle(JSON.parse(/** @type {MessageEvent} */ (event).data)));
        }
    }

    close() {
        window.clearTimeout(this.timer);
        this.source?.close();
        this.source = null;
    }
}

/** The metrics of a run, kept whole: a row that is not the next one is a reason to read them all again. */
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
    }

    /** Reads all rows; calls during a reading make one more. */
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
     * A row that the server told.
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
            this.read().catch(() => {});
        }
    }

    /**
     * The values of a column; null where there is none.
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

    /** The stages that take time, and the seconds of each iteration. */
    stages() {
        return this.columns.filter((name) => name.startsWith("seconds_")).map((name) => ({
            name: name.slice("seconds_".length),
            seconds: this.column(name).map((value) => value ?? 0),
        }));
    }

    /** Seconds of training at the end of each iteration. */
    wallTime() {
        const stages = this.stages();
        let sum = 0;
        return this.rows.map((_, i) => {
            stages.forEach((stage) => { sum += stage.seconds[i]; });
            return sum;
        });
    }
}
