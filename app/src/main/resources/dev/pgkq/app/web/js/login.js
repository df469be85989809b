// @ts-check
// Exchanges a token for a cookie. The token is in the address after # and is removed from it at once.
import { ApiError, login } from "./api.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("login"));
const field = /** @type {HTMLInputElement} */ (document.getElementById("token"));
const problem = /** @type {HTMLElement} */ (document.getElementById("problem"));

/** @param {string} token */
async function enter(token) {
    problem.textContent = "";
    try {
        await login(token.trim());
        location.replace("/");
    } catch (error) {
        problem.textContent = error instanceof ApiError ? error.message : String(error);
        field.value = "";
        field.focus();
    }
}

form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(field.value);
});

/** Reads the token. Tokens need no escapes, but some programs add them; invalid escapes are taken literally. */
function givenToken() {
    const text = location.hash.slice(1);
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

const given = givenToken();
if (given) {
    history.replaceState(null, "", location.pathname);
    enter(given);
} else {
    field.focus();
}
