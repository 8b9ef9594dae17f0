/**
 * Bare ids of texts, a word's tokens asked of the native core once: texts whose words are known are put together from
 * a table, new words go through the core in one call with the texts that `word-cut.ts` does not cut.
 */
import { checkLength, encodeBodies, type Encoder } from './encode.ts'
import type { Definition } from './definition.ts'
import type { BareIds } from './tokenizer.ts'
import { type WordCut, wordCut } from './word-cut.ts'
import { type WordTable, wordTable } from './word-table.ts'

/** Some 25 MB of words and tokens; a table that has outgrown one of them begins anew. */
const largestTable = { words: 2 ** 18, tokens: 2 ** 21 }
/** Characters of a text that is cut here: bounds the places of its words. */
const longestText = 2 ** 16

/** One text's share: its words, as a range of the list of all words, or, in its place, a body of its own. */
interface Shares {
  /** Numbers of words; −1 for a text that the core cuts. */
  readonly words: Int32Array
  readonly ends: Int32Array
  /** Strings that the core has not seen: new words, then texts that are not cut. */
  readonly newWords: readonly string[]
  readonly uncutTexts: readonly string[]
}

/** Calls wait for each other: one may ask for words that the next one needs. */
export function wordEncoder(
  encoder: Encoder,
  definition: Definition,
  most = largestTable,
): (texts: readonly string[], signal?: AbortSignal) => Promise<BareIds> {
  const cut = wordCut(definition)
  if (cut === undefined) return (texts, signal) => encodeWhole(encoder, texts, signal)
  let table = wordTable(cut.fold)
  const run = async (texts: readonly string[], signal?: AbortSignal): Promise<BareIds> => {
    texts.forEach(({ length }, i) => checkLength(length, i, encoder.name))
    if (table.words > most.words || table.tokens > most.tokens) table = wordTable(cut.fold)
    try {
      return await encodeShares(encoder, share(texts, cut, table), { table, signal })
    } catch (error) {
      // words without ids must not stay
      table = wordTable(cut.fold)
      throw error
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  return (texts, signal) => {
    const turn = last.then(() => run(texts, signal))
    last = turn.catch(() => undefined)
    return turn
  }
}

async function encodeWhole(encoder: Encoder, texts: readonly string[], signal?: AbortSignal): Promise<BareIds> {
  const ends = new Int32Array(texts.length)
  const bodies: Int32Array[] = []
  let total = 0
  await encodeBodies(encoder, texts, { signal }, ({ ids }) => {
    total += ids.length
    ends[bodies.length] = total
    bodies.push(ids)
  })
  const ids = new Int32Array(total)
  bodies.forEach((body, text) => ids.set(body, ends[text - 1] ?? 0))
  return { ids, ends }
}

function share(texts: readonly string[], cutter: WordCut, table: WordTable): Shares {
  const ends = new Int32Array(texts.length)
  const [newWords, uncutTexts]: [string[], string[]] = [[], []]
  let words = new Int32Array(16 * texts.length)
  let places = new Int32Array(1024)
  let count = 0
  for (const [i, text] of texts.entries()) {
    if (places.length < 2 * text.length && text.length <= longestText) places = new Int32Array(4 * text.length)
    const found = text.length > longestText ? -1 : cutter.cut(text, places)
    if (count + Math.abs(found) > words.length) words = longer(words, count + Math.abs(found))
    if (found < 0) {
      words[count++] = -1
      uncutTexts.push(text)
    }
    for (let word = 0; word < found; word++) {
      const place = places[2 * word] ?? 0
      const [begin, end] = [place < 0 ? ~place : place, places[2 * word + 1] ?? 0]
      const before = table.words
      words[count++] = table.find(text, begin, end, place >= 0)
      if (table.words > before) newWords.push(text.slice(begin, end))
    }
    ends[i] = count
  }
  return { words, ends, newWords, uncutTexts }
}

async function encodeShares(
  encoder: Encoder,
  { words, ends, newWords, uncutTexts }: Shares,
  { table, signal }: { table: WordTable; signal: AbortSignal | undefined },
): Promise<BareIds> {
  const bodies: Int32Array[] = []
  let answers = 0
  await encodeBodies(encoder, [...newWords, ...uncutTexts], { signal }, ({ ids }) => {
    if (answers++ < newWords.length) table.give(ids)
    else bodies.push(ids)
  })
  const count = ends.at(-1) ?? 0
  let total = bodies.reduce((sum, ids) => sum + ids.length, 0)
  for (let i = 0; i < count; i++) total += (words[i] ?? 0) < 0 ? 0 : table.length(words[i] ?? 0)
  const ids = new Int32Array(total)
  const idEnds = new Int32Array(ends.length)
  let [at, place, body] = [0, 0, 0]
  for (let text = 0; text < ends.length; text++) {
    for (const end = ends[text] ?? 0; at < end; at++) {
      const word = words[at] ?? 0
      if (word >= 0) place = table.copy(word, ids, place)
      else {
        const uncut = bodies[body++] ?? new Int32Array(0)
        ids.set(uncut, place)
        place += uncut.length
      }
    }
    idEnds[text] = place
  }
  return { ids, ends: idEnds }
}

function longer(numbers: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(2 * length)
  grown.set(numbers)
  return grown
}
