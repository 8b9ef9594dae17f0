/** Batches of texts whose token states are all in memory at once. */

/** Letters per batch, padding included: about 2,000 tokens, whose states in float32 are 80 MB for BERT-base. */
const batchLetters = 8_000

/** Longest first, texts of similar length together. */
export function* tokenBatches(texts: readonly string[]): Generator<string[]> {
  let batch: string[] = []
  for (const text of texts.toSorted((a, b) => b.length - a.length)) {
    const longest = Math.max(1, batch[0]?.length ?? text.length)
    if (batch.length > 0 && (batch.length + 1) * longest > batchLetters) {
      yield batch
      batch = []
    }
    batch.push(text)
  }
  if (batch.length > 0) yield batch
}
