/** Texts through an engine, a slice at a time, cut and wrapped in the template. */
import { fault } from '#core'
import type { Engine } from './engine.ts'
import { addedTokens, assemble, type Body, type Piece, type Template } from './template.ts'
import type { Encoded, EncodeOptions, EncodePairsOptions, Side } from './tokenizer.ts'
import { pairLengths } from './truncate.ts'

export interface Encoder {
  readonly name: string
  readonly engine: Engine
  readonly template: Template
  readonly truncationSide: Side
}

/** Texts and characters handed to the core at once: bounds its memory, and how long a call cannot be cancelled. */
const sliceTexts = 1000
const sliceCharacters = 1_000_000
/**
 * Oniguruma gives up after ten million steps at one place of a text; every pattern run in this process takes fewer on
 * texts of this length.
 */
const longestText = 4_000_000

export async function encodeTexts(
  encoder: Encoder,
  texts: readonly string[],
  options: EncodeOptions,
): Promise<Encoded[]> {
  const { template } = encoder
  const pieces = options.addSpecialTokens === false ? template.bare.single : template.single
  const room = roomFor(pieces, options, encoder)
  const side = options.truncationSide ?? encoder.truncationSide
  const encoded: Encoded[] = []
  await encodeBodies(encoder, texts, options, (body) => {
    encoded.push(assemble(pieces, [cut(body, room, side)], wanted(options)))
  })
  return encoded
}

export async function encodeTextPairs(
  encoder: Encoder,
  pairs: readonly (readonly [string, string])[],
  options: EncodePairsOptions,
): Promise<Encoded[]> {
  const { single, pair } = options.addSpecialTokens === false ? encoder.template.bare : encoder.template
  const [singleRoom, pairRoom] = [roomFor(single, options, encoder), roomFor(pair, options, encoder)]
  const side = options.truncationSide ?? encoder.truncationSide
  const strategy = options.truncation ?? 'longest_first'
  const encoded: Encoded[] = []
  let first: Body | undefined
  await encodeBodies(encoder, pairs.flat(), { ...options, total: pairs.length }, (body) => {
    if (first === undefined) {
      first = body
      return
    }
    // As transformers does for one pair: an empty second text is none.
    const alone = options.keepEmpty !== true && pairs[encoded.length]?.[1] === ''
    const [keepFirst, keepSecond] = pairLengths(
      first.ids.length,
      body.ids.length,
      alone ? singleRoom : pairRoom,
      strategy,
      encoder.name,
    )
    encoded.push(
      assemble(alone ? single : pair, [cut(first, keepFirst, side), cut(body, keepSecond, side)], wanted(options)),
    )
    first = undefined
  })
  return encoded
}

/** Each text's ids as the core gives them, in order: uncut, in no template. */
export async function encodeBodies(
  encoder: Encoder,
  texts: readonly string[],
  options: Pick<EncodeOptions, 'offsets' | 'signal' | 'onProgress'> & { readonly total?: number },
  take: (body: Body) => void,
): Promise<void> {
  const { total = texts.length } = options
  const perItem = texts.length / Math.max(1, total)
  for (let begin = 0; begin < texts.length;) {
    if (options.signal?.aborted) throw fault('run.cancelled', { place: encoder.name, what: 'encoding was cancelled' })
    const end = sliceEnd(texts, begin, encoder.name)
    const { ids, ends, offsets } = await encoder.engine.encode(texts.slice(begin, end), options.offsets === true)
    for (let index = 0; index < end - begin; index++) {
      const [from, to] = [ends[index - 1] ?? 0, ends[index] ?? 0]
      take({ ids: ids.subarray(from, to), offsets: offsets?.subarray(from * 2, to * 2) })
    }
    begin = end
    options.onProgress?.({ stage: 'tokenize', done: Math.floor(begin / perItem), total, unit: 'texts' })
  }
}

function sliceEnd(texts: readonly string[], begin: number, name: string): number {
  let characters = 0
  let end = begin
  while (end < texts.length && end - begin < sliceTexts) {
    const { length } = texts[end] ?? ''
    checkLength(length, end, name)
    if (end > begin && characters + length > sliceCharacters) break
    characters += length
    end++
  }
  return end
}

/** Throws `tokenizer.limit` for a text that is too long for the core. */
export function checkLength(length: number, text: number, name: string): void {
  if (length <= longestText) return
  throw fault('tokenizer.limit', {
    place: `${name} › text ${text}`,
    what: 'text too long',
    seen: length,
    wanted: `at most ${longestText} characters`,
  })
}

/** Tokens left for the texts themselves. */
function roomFor(pieces: readonly Piece[], { maxLength }: EncodeOptions, { name }: Encoder): number {
  if (maxLength === undefined) return Infinity
  const added = addedTokens(pieces)
  if (!Number.isSafeInteger(maxLength) || maxLength < Math.max(1, added)) {
    throw fault('usage.value', {
      place: name,
      what: 'maxLength has no room for a text',
      seen: maxLength,
      wanted: `a whole number, at least ${Math.max(1, added)}`,
    })
  }
  return maxLength - added
}

/** The `keep` tokens of a text that stay; `left` cuts off its beginning. */
function cut({ ids, offsets }: Body, keep: number, side: Side): Body {
  if (ids.length <= keep) return { ids, offsets }
  const begin = side === 'left' ? ids.length - keep : 0
  return { ids: ids.subarray(begin, begin + keep), offsets: offsets?.subarray(begin * 2, (begin + keep) * 2) }
}

function wanted(options: EncodeOptions): { specialTokensMask: boolean; offsets: boolean } {
  return { specialTokensMask: options.specialTokensMask === true, offsets: options.offsets === true }
}
