// @ts-check
// Requests to the server. Every response is JSON. An error becomes an ApiError whose message can be displayed.

/** The session as the server reports it. @typedef {{role: "viewer"|"rater"|"none", csrf: string, name: string}} Session */

export class ApiError extends Error {
    /**
     * @param {number} status HTTP status; 0 if the server could not be reached
     * @param {string} message
     */
    constructor(status, message) {
        super(message);
        this.status = status;
    }
}

/** @type {Promise<Session>|null} */
let current = null;

/**
 * The session, requested once.
 * @param {boolean} [again] request it again
 * @returns {Promise<Session>}
 */
export function session(again = false) {
    if (!current || again) {
        current = get("/api/session");
        current.catch(() => { current = null; });
    }
    return current;
}

/**
 * @param {string} path for example "/api/runs"
 * @returns {Promise<any>}
 */
export function get(path) {
    return request(path, {});
}

/**
 * A request that changes something. It carries the session's CSRF token, which is fetched again after a server restart.
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function post(path, body = {}) {
    const send = async () => request(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": (await session()).csrf },
        body: JSON.stringify(body),
    });
    try {
        return await send();
    } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 403) {
            throw error;
        }
        const before = (await session()).csrf;
        if ((await session(true)).csrf === before) {
            throw error;
        }
        return send();
    }
}

/**
 * Exchanges a token for the session's cookie.
 * @param {string} token
 * @returns {Promise<Session>}
 */
export async function login(token) {
    current = null;
    return request("/api/login", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ token }),
    });
}

/**
 * @param {string} path
 * @param {RequestInit} options
 */
async function request(path, options) {
    let response;
    try {
        response = await fetch(path, { credentials: "same-origin", ...options });
    } catch {
        throw new ApiError(0, "The server does not respond. Is pgkq still running?");
    }
    if (response.status === 401 && location.pathname !== "/login.html") {
        location.assign("/login.html");
    }
    const text = await response.text();
    let data;
    try {
        data = JSON.parse(text);
    } catch {
        throw new ApiError(response.status, `The server's response (${response.status}) is not valid JSON.`);
    }
    if (!response.ok) {
        throw new ApiError(response.status, data.error ?? `The server responded with status ${response.status}.`);
    }
    return data;
}
