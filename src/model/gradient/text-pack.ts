/** Texts that go through the model together: their tokens one below the other, without padding. */
import { fault } from '#core'
import type { Classifier } from './classifier.ts'

/** A text as the model reads it. */
export interface FisherText {
  /** Token ids with the special tokens, without padding. */
  readonly ids: readonly number[]
  /** Class of the text, from 0. */
  readonly label?: number | undefined
}

export interface TextPack {
  readonly examples: readonly FisherText[]
  /** [tokens] */
  readonly ids: Int32Array
  /** [tokens]; rows of the position table, where the model has one. */
  readonly positions: Int32Array
  /** First token of each text, then the number of all. */
  readonly starts: Int32Array
}

/** Tokens of a pack, unless one text has more: enough to keep the engine's products busy. */
const packTokens = 256

/** Packs in the order of the examples. Throws `usage.value` for ids that the model cannot read. */
export async function* textPacks(
  examples: AsyncIterable<FisherText> | Iterable<FisherText>,
  classifier: Classifier,
): AsyncGenerator<TextPack> {
  let [waiting, tokens, index]: [FisherText[], number, number] = [[], 0, 0]
  for await (const example of examples) {
    checkIds(example, index++, classifier)
    if (waiting.length > 0 && tokens + example.ids.length > packTokens) {
      yield packed(waiting, classifier)
      ;[waiting, tokens] = [[], 0]
    }
    waiting.push(example)
    tokens += example.ids.length
  }
  if (waiting.length > 0) yield packed(waiting, classifier)
}

function packed(examples: readonly FisherText[], { firstPosition }: Classifier): TextPack {
  const starts = new Int32Array(examples.length + 1)
  examples.forEach(({ ids }, k) => (starts[k + 1] = starts[k]! + ids.length))
  return {
    examples,
    ids: Int32Array.from(examples.flatMap(({ ids }) => ids)),
    positions: Int32Array.from(examples.flatMap(({ ids }) => ids.map((_, k) => firstPosition + k))),
    starts,
  }
}

function checkIds({ ids }: FisherText, index: number, { tokens, padId, maxTokens }: Classifier): void {
  const refuse = (what: string, seen: unknown, wanted: string): Error =>
    fault('usage.value', { place: `example ${index}`, what, seen, wanted })
  if (ids.length === 0) throw refuse('has no tokens', 0, 'at least one')
  if (ids.length > maxTokens) throw refuse('is longer than the model reads', ids.length, `at most ${maxTokens} tokens`)
  const odd = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= tokens.rows)
  if (odd !== undefined) throw refuse('holds an id outside the vocabulary', odd, `0 … ${tokens.rows - 1}`)
  if (ids.includes(padId)) throw refuse('holds the pad id', padId, 'ids without padding')
}
