/** Texts as a late-interaction model reads them: markers, lengths, expansion, tokens that have no vector. */
import { fault, type PromptType } from '#core'
import type { Tokenizer } from '#model/tokenizer'
import type { LateInteraction, ModelSettings, TokenRow } from '#model/passes'
import { tokenRows } from './pooled-encoder.ts'

/** A text, and which of its tokens have a vector. */
export interface CountedRow extends TokenRow {
  /** Ascending indexes; undefined: all. */
  readonly counted?: Int32Array | undefined
}

/** The settings and the tokenizer, its tokens looked up. Throws `config.value` for a marker that is no token. */
export function lateRows(
  late: LateInteraction,
  settings: ModelSettings,
  tokenizer: Tokenizer,
): (texts: readonly string[], prompt: string | null, side: PromptType) => Promise<CountedRow[]> {
  const markers = { query: markerOf(late, tokenizer, 'query'), document: markerOf(late, tokenizer, 'document') }
  const unknown = late.skipped.unknown ? tokenizer.tokenId(tokenizer.specialTokens['unk_token'] ?? '') : undefined
  const skipped = late.skipped.words.flatMap((word) => tokenizer.tokenId(word) ?? unknown ?? [])
  const fill = late.expansion && fillOf(late.expansion, tokenizer)
  return async (texts, prompt, side) => {
    const marker = markers[side]
    const expansion = side === 'query' ? late.expansion : undefined
    const most = Math.max(1, longest(late, side, settings.maxLength) - marker.length)
    const rows = await tokenRows(tokenizer, texts, prompt, {
      ...settings,
      maxLength: Math.min(most, settings.maxLength),
    })
    const skips = late.skipped.sides.includes(side) ? new Set(skipped) : undefined
    return rows.map((row) => {
      const filled =
        expansion === undefined || fill === undefined
          ? row
          : filledUp(row, {
              ...expansion,
              fill,
              length: expansion.length - marker.length,
              side: fillSide(late, tokenizer),
            })
      const marked = withMarker(filled, marker)
      return skips === undefined || skips.size === 0 ? marked : { ...marked, counted: indexesBut(marked.ids, skips) }
    })
  }
}

function longest({ lengths, expansion }: LateInteraction, side: PromptType, most: number): number {
  const own = lengths[side] ?? most
  if (side === 'document' || expansion === undefined) return own
  return expansion.isLeast ? Math.max(own, expansion.length) : expansion.length
}

function markerOf({ markers }: LateInteraction, tokenizer: Tokenizer, side: PromptType): readonly number[] {
  const word = markers[side]
  if (word === undefined) return []
  const id = tokenizer.tokenId(word)
  if (id !== undefined) return [id]
  throw fault('config.value', {
    place: `${tokenizer.name} › ${side}_prefix`,
    what: 'the tokenizer has no token for this marker',
    seen: word,
  })
}

/** In the order of both libraries. Throws `config.value` where there is none. */
function fillOf({ token }: NonNullable<LateInteraction['expansion']>, tokenizer: Tokenizer): number {
  const { mask_token: mask, eos_token: end, pad_token: padding } = tokenizer.specialTokens
  const word = token ?? mask ?? end ?? padding
  const id = word === undefined ? undefined : tokenizer.tokenId(word)
  if (id !== undefined) return id
  throw fault('config.value', {
    place: `${tokenizer.name} › query expansion`,
    what: 'the tokenizer has no token to expand queries with',
    seen: word,
  })
}

/** A length that is a minimum is reached behind the text, whatever the tokenizer's side. */
function fillSide({ expansion }: LateInteraction, { paddingSide }: Tokenizer): 'left' | 'right' {
  return expansion?.isLeast === true ? 'right' : paddingSide
}

function filledUp(
  { ids, typeIds }: TokenRow,
  { fill, length, attend, side }: { fill: number; length: number; attend: boolean; side: 'left' | 'right' },
): TokenRow {
  const size = Math.max(length, ids.length)
  const at = side === 'left' ? size - ids.length : 0
  const [filled, types, mask] = [new Int32Array(size).fill(fill), new Int32Array(size), new Int32Array(size)]
  filled.set(ids, at)
  types.set(typeIds, at)
  mask.fill(1, at, at + ids.length)
  return { ids: filled, typeIds: types, ...(attend ? {} : { mask }) }
}

/** Behind the first token, whatever it is. */
function withMarker({ ids, typeIds, mask }: TokenRow, marker: readonly number[]): TokenRow {
  if (marker.length === 0) return { ids, typeIds, mask }
  const put = (values: Int32Array, own: readonly number[]): Int32Array =>
    Int32Array.of(...values.subarray(0, 1), ...own, ...values.subarray(1))
  return { ids: put(ids, marker), typeIds: put(typeIds, [0]), mask: mask && put(mask, [1]) }
}

function indexesBut(ids: Int32Array, skipped: ReadonlySet<number>): Int32Array {
  return Int32Array.from(ids.keys()).filter((at) => !skipped.has(ids[at] ?? -1))
}
