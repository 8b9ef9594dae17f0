/** What is added to the scores of keys that are not seen. */

/**
 * Finite, so that a row that may see nothing gets even weights rather than NaN; far below any score, so that what is
 * masked weighs exactly 0 beside
 * anything that is not.
 */
export const masked = -1e9
