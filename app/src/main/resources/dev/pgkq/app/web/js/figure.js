// @ts-check
/**
 * The kinematics of a planar figure: the positions of its capsules for a simulator state. Pure functions.
 *
 * A frame is [x, z, θ] in the plane of x (forward) and z (up); θ rotates about y, so a positive angle leans forward:
 *
 *     R(θ)(u, w) = (u cos θ + w sin θ, −u sin θ + w cos θ)
 *
 * @typedef {[number, number]} Point x and z
 * @typedef {[number, number, number]} Frame x, z and θ
 * @typedef {{parent: number, at: Point, angle: number}} Body parent −1 is the world; a parent comes before its children
 * @typedef {{body: number, kind: "slide" | "hinge", axis?: Point, sign?: number, at?: Point, state: number,
 *     zero: number}} Joint a slide has an axis; a hinge has a sign and a pivot
 * @typedef {{body: number, from: Point, to: Point, radius: number}} Shape a capsule; body −1 is fixed in the world
 * @typedef {{bodies: Body[], joints: Joint[], shapes: Shape[], ground: number | null, follow: number,
 *     seconds: number}} Figure
 * @typedef {{from: Point, to: Point, radius: number, body: number}} Capsule in the world
 */

/** @type {Frame} */
const WORLD = [0, 0, 0];

/**
 * R(θ) v.
 *
 * @param {number} angle
 * @param {Point} v
 * @returns {Point}
 */
export function rotate(angle, [u, w]) {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    return [u * cos + w * sin, -u * sin + w * cos];
}

/**
 * Converts a point from a body's frame to world coordinates.
 *
 * @param {Frame} frame
 * @param {Point} point
 * @returns {Point}
 */
export function place([x, z, angle], point) {
    const [u, w] = rotate(angle, point);
    return [x + u, z + w];
}

/**
 * The frames of all bodies. Each starts at its place in the parent, and its joints move it in their order.
 *
 * @param {Figure} figure
 * @param {ArrayLike<number>} state
 * @returns {Frame[]}
 */
export function frames(figure, state) {
    /** @type {Frame[]} */
    const result = [];
    figure.bodies.forEach((body, index) => {
        const parent = body.parent < 0 ? WORLD : result[body.parent];
        let [x, z] = place(parent, body.at);
        let angle = parent[2] + body.angle;
        for (const joint of figure.joints) {
            if (joint.body !== index) {
                continue;
            }
            const moved = state[joint.state] - joint.zero;
            if (joint.kind === "slide") {
                const [u, w] = rotate(angle, joint.axis ?? [0, 0]);
                x += u * moved;
                z += w * moved;
            } else {
                const at = joint.at ?? [0, 0];
                const [anchorX, anchorZ] = place([x, z, angle], at);
                angle += (joint.sign ?? 1) * moved;
                const [u, w] = rotate(angle, at);
                x = anchorX - u;
                z = anchorZ - w;
            }
        }
        result.push([x, z, angle]);
    });
    return result;
}

/**
 * All capsules in world coordinates.
 *
 * @param {Figure} figure
 * @param {ArrayLike<number>} state
 * @returns {Capsule[]}
 */
export function capsules(figure, state) {
    const all = frames(figure, state);
    return figure.shapes.map((shape) => {
        const frame = shape.body < 0 ? WORLD : all[shape.body];
        return {
            from: place(frame, shape.from),
            to: place(frame, shape.to),
            radius: shape.radius,
            body: shape.body,
        };
    });
}

/**
 * The limb of each body: 0 for bodies without a parent, and one number for each subtree below such a body.
 *
 * @param {Figure} figure
 * @returns {number[]}
 */
export function limbs(figure) {
    /** @type {number[]} */
    const result = [];
    let count = 0;
    for (const body of figure.bodies) {
        if (body.parent < 0) {
            result.push(0);
        } else {
            result.push(result[body.parent] || ++count);
        }
    }
    return result;
}

/**
 * Interpolates between two states, with t from 0 to 1.
 *
 * @param {number[]} a
 * @param {number[]} b
 * @param {number} t
 * @returns {number[]}
 */
export function between(a, b, t) {
    return a.map((value, i) => value + t * (b[i] - value));
}

/**
 * The bounding box of all shapes over some states, relative to the followed body.
 *
 * @param {Figure} figure
 * @param {number[][]} states
 * @returns {{left: number, right: number, bottom: number, top: number}}
 */
export function extent(figure, states) {
    const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
    // a hundred states are enough, even for long episodes
    const stride = Math.max(1, Math.floor(states.length / 100));
    for (let t = 0; t < states.length; t += stride) {
        const origin = figure.follow < 0 ? 0 : frames(figure, states[t])[figure.follow][0];
        for (const { from, to, radius } of capsules(figure, states[t])) {
            box.left = Math.min(box.left, Math.min(from[0], to[0]) - radius - origin);
            box.right = Math.max(box.right, Math.max(from[0], to[0]) + radius - origin);
            box.bottom = Math.min(box.bottom, Math.min(from[1], to[1]) - radius);
            box.top = Math.max(box.top, Math.max(from[1], to[1]) + radius);
        }
    }
    return box;
}
