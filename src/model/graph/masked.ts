/** The number added to the scores of keys that are not seen. */

/**
 * Finite, so that a row that may see nothing gets even weights rather than NaN; far below any score, so that masked
 * keys weigh exactly 0 next to any that is not masked.
 */
export const masked = -1e9

/**
 * The same for pooled rows, all of which may be masked: scores then count as far as float32 keeps them next to this number,
 * the reference's.
 */
export const maskedPooled = -1e6
