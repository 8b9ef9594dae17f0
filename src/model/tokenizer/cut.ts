/** Cutting a text into words whose tokens depend on nothing around them. */

/**
 * Beginnings and ends of the words, alternating, into `places`, which has room for two numbers per character; the
 * beginning of a word that is not plain ASCII is inverted (~). The number of words, or −1 where the cut of this text is
 * not known.
 */
export type Cut = (text: string, places: Int32Array) => number

/** Characters; words beyond it are not worth keeping. */
export const longestWord = 128
