/**
 * BM25 (S. Robertson et al. 1994) in the variant of Lucene, computed when the corpus is taken in, as bm25s 0.3.16 does
 * (X. H. Lù, https://arxiv.org/abs/2407.03618): float32 scores per word and document, summed in float32 in the order of
 * a query's words.
 */
import type { WordRules } from './words.ts'

export interface Bm25Settings {
  readonly k1: number
  readonly b: number
}

export interface Bm25Index {
  readonly documents: number
  /** Scores of a query for every document: [documents], written into `out`, which is cleared first. */
  readonly score: (query: string, out: Float32Array) => Float32Array
}

/** Share of the documents from which on a stem of a language without stop words is not counted (mteb). */
const commonShare = 0.9

/** Numbers in a typed array that grows. */
function numbers() {
  let data = new Int32Array(2 ** 12)
  let length = 0
  return {
    push(value: number): void {
      if (length === data.length) {
        const larger = new Int32Array(2 * length)
        larger.set(data)
        data = larger
      }
      data[length++] = value
    },
    all: (): Int32Array => data.subarray(0, length),
  }
}

/** Counts of the words of every document, one after the other. */
interface Counted {
  readonly ids: ReadonlyMap<string, number>
  /** Word of each entry, and how often the document has it. */
  readonly words: Int32Array
  readonly counts: Int32Array
  /** First entry of each document, and the end of the last one. */
  readonly starts: Int32Array
  /** Documents that have the word. */
  readonly frequencies: Int32Array
}

function countWords(blocks: Iterable<readonly string[]>, { split, stopwords, stem, lead }: WordRules): Counted {
  const ids = new Map<string, number>()
  const [words, counts, starts, frequencies] = [numbers(), numbers(), numbers(), numbers()]
  let entries = 0
  starts.push(0)
  for (const block of blocks)
    for (const text of block) {
      const own = new Map<number, number>()
      for (const token of split(lead + text)) {
        if (stopwords?.has(token) === true) continue
        const stemmed = stem(token)
        let id = ids.get(stemmed)
        if (id === undefined) {
          ids.set(stemmed, (id = ids.size))
          frequencies.push(0)
        }
        own.set(id, (own.get(id) ?? 0) + 1)
      }
      for (const [id, count] of own) {
        words.push(id)
        counts.push(count)
        frequencies.all()[id]! += 1
      }
      starts.push((entries += own.size))
    }
  return { ids, words: words.all(), counts: counts.all(), starts: starts.all(), frequencies: frequencies.all() }
}

/** Takes a corpus in, once through. Memory: 8 bytes per different word of a document, and twice that meanwhile. */
export function bm25Index(blocks: Iterable<readonly string[]>, rules: WordRules, settings: Bm25Settings): Bm25Index {
  const counted = countWords(blocks, rules)
  const { ids, words, counts, starts, frequencies } = counted
  const documents = starts.length - 1
  const isCommon = (id: number): boolean => rules.stopwords === undefined && frequencies[id]! / documents >= commonShare
  // mteb compares words of a query before they are stemmed with the common stems
  const isStopword = (token: string): boolean => {
    const id = ids.get(token)
    return rules.stopwords?.has(token) ?? (id !== undefined && isCommon(id))
  }
  const lengths = Float64Array.from({ length: documents }, (_, document) => {
    let length = 0
    for (let at = starts[document]!; at < starts[document + 1]!; at++) if (!isCommon(words[at]!)) length += counts[at]!
    return length
  })
  const mean = lengths.reduce((sum, length) => sum + length, 0) / documents
  // entries by word: the documents of a word ascend
  const firsts = new Float64Array(frequencies.length + 1)
  frequencies.forEach((frequency, id) => (firsts[id + 1] = firsts[id]! + frequency))
  const next = firsts.slice()
  const places = new Int32Array(words.length)
  const scores = new Float32Array(words.length)
  const { k1, b } = settings
  for (let document = 0; document < documents; document++) {
    const floor = k1 * (1 - b + (b * lengths[document]!) / mean)
    for (let at = starts[document]!; at < starts[document + 1]!; at++) {
      const [id, count] = [words[at]!, counts[at]!]
      const to = next[id]!++
      places[to] = document
      scores[to] = isCommon(id) ? 0 : rarity(frequencies[id]!, documents) * (count / (floor + count))
    }
  }
  return {
    documents,
    score(query, out) {
      out.fill(0)
      for (const token of rules.split(query)) {
        if (isStopword(token)) continue
        const id = ids.get(rules.stem(token))
        if (id === undefined) continue
        for (let at = firsts[id]!; at < firsts[id + 1]!; at++) out[places[at]!]! += scores[at]!
      }
      return out
    },
  }
}

/** Inverse document frequency of Lucene, in float32 as the library keeps it. */
function rarity(frequency: number, documents: number): number {
  return Math.fround(Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5)))
}
