// @ts-check
/**
 * The pictures that an environment rendered of an episode.
 *
 * @typedef {{step: number, image: ImageBitmap}} Picture
 * @typedef {{pictures: Picture[], seconds: number | null}} Pictures in the order of their steps; seconds of a step, if known
 */
import { get } from "./api.js";

/**
 * Loads the pictures of an episode. The browser decodes them from memory, because pages may not load images from elsewhere.
 *
 * @param {string} episode address of the episode
 * @returns {Promise<Pictures>}
 */
export async function loadPictures(episode) {
    /** @type {{framesPerSecond: number | null, frames: {step: number, png: string}[]}} */
    const { framesPerSecond, frames } = await get(`${episode}/frames`);
    const pictures = await Promise.all(frames.map(async ({ step, png }) => {
        const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
        return { step, image: await createImageBitmap(new Blob([bytes], { type: "image/png" })) };
    }));
    return { pictures, seconds: framesPerSecond ? 1 / framesPerSecond : null };
}
