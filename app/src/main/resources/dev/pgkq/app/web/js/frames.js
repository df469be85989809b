// @ts-check
/**
 * The pictures that an environment rendered of an episode.
 *
 * @typedef {{step: number, image: ImageBitmap}} Picture
 * @typedef {{pictures: Picture[], seconds: number | null}} Pictures in the order of their steps; seconds of a step, if known
 */
import { ApiError, get } from "./api.js";

/** Statuses that may be different when asked again: no server, no session, too many requests. */
const PASSING = [0, 401, 429, 503];

/**
 * The pictures of an episode. An episode whose pictures cannot be read is shown without them.
 *
 * @param {string} episode address of the episode
 * @param {boolean} exist whether there are any
 * @returns {Promise<{pictures: Pictures | null, missing: string}>} missing: why there are none although there should be; "" otherwise
 */
export async function picturesOf(episode, exist) {
    try {
        return { pictures: exist ? await loadPictures(episode) : null, missing: "" };
    } catch (error) {
        if (error instanceof ApiError && PASSING.includes(error.status)) {
            throw error;
        }
        const reason = error instanceof ApiError ? error.message : "one of them is damaged";
        return { pictures: null, missing: `The pictures of this episode cannot be shown: ${reason}.` };
    }
}

/**
 * Loads the pictures of an episode. The browser decodes them from memory, because pages may not load images from elsewhere.
 *
 * @param {string} episode address of the episode
 * @returns {Promise<Pictures>}
 */
async function loadPictures(episode) {
    /** @type {{framesPerSecond: number | null, frames: {step: number, png: string}[]}} */
    const { framesPerSecond, frames } = await get(`${episode}/frames`);
    const pictures = await Promise.all(frames.map(async ({ step, png }) => {
        const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
        return { step, image: await createImageBitmap(new Blob([bytes], { type: "image/png" })) };
    }));
    return { pictures, seconds: framesPerSecond ? 1 / framesPerSecond : null };
}
