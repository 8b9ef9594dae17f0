/** Texts in the order in which they are encoded, a block at a time. */

/** Letters of a block: some 100,000 tokens, so that a block is never more than minutes of work. */
const blockLetters = 500_000

/**
 * Texts of like length together, longest first: little padding inside a block, and the time left is never
 * underestimated. At most `rows` texts per block.
 */
export function* textBlocks(texts: readonly string[], rows: number): Generator<string[]> {
  let block: string[] = []
  let letters = 0
  for (const text of texts.toSorted((a, b) => b.length - a.length)) {
    if (block.length === rows || (block.length > 0 && letters + text.length > blockLetters)) {
      yield block
      block = []
      letters = 0
    }
    block.push(text)
    letters += text.length
  }
  if (block.length > 0) yield block
}
