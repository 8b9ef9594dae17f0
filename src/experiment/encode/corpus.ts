/** The texts of an analysis: named, and limited in number. */
import { fault } from '#core'
import { randomState } from '#platform/random'

export interface Corpus {
  /** Name in folders and reports. */
  readonly name: string
  readonly texts: readonly string[]
}

/**
 * The first `most` texts; `drawn`: a seeded sample in its order, for a source that is available as a whole. Throws
 * `usage.value` for an empty one.
 */
export async function readCorpus(
  name: string,
  source: AsyncIterable<readonly { readonly text: string }[]>,
  { most = Infinity, drawn }: { most?: number | undefined; drawn?: { seed: number } | undefined } = {},
): Promise<Corpus> {
  const texts: string[] = []
  for await (const rows of source) {
    for (const { text } of rows) texts.push(text)
    if (drawn === undefined && texts.length >= most) break
  }
  if (texts.length === 0) throw fault('usage.value', { place: name, what: 'no texts' })
  if (texts.length <= most) return { name, texts }
  if (drawn === undefined) return { name, texts: texts.slice(0, most) }
  const rows = Int32Array.from(randomState(drawn.seed).permutation(texts.length).slice(0, most)).sort()
  return { name, texts: Array.from(rows, (row) => texts[row] ?? '') }
}
