/** The special tokens around one text or two, read from a tokenizer.json's post-processor. */
import { fault } from '#core'
import { type Component, leaves, type TemplatePiece, type TemplateProcessing } from './components.ts'
import type { Encoded } from './tokenizer.ts'

/** Tokens the template puts there, or one of the two texts. */
export type Piece =
  | { readonly ids: readonly number[]; readonly typeId: number }
  | { readonly text: 0 | 1; readonly typeId: number }

export interface Template {
  readonly single: readonly Piece[]
  readonly pair: readonly Piece[]
  /** Type ids of the two texts when no special tokens are wanted. */
  readonly bare: { readonly single: readonly Piece[]; readonly pair: readonly Piece[] }
}

/** Ids of one text, without special tokens. */
export interface Body {
  readonly ids: Int32Array
  /** [cols × 2] */
  readonly offsets: Int32Array | undefined
}

/** More special tokens than this around one text is an attack on memory, not a template. */
const mostAdded = 512

const text = (index: 0 | 1, typeId: number): Piece => ({ text: index, typeId })
const tokens = (typeId: number, ...ids: number[]): Piece => ({ ids, typeId })
const bareText = { single: [text(0, 0)], pair: [text(0, 0), text(1, 1)] }

/** No special tokens; the second text of a pair has type 1. */
const plainTemplate: Template = { ...bareText, bare: bareText }

/**
 * Template of a checked post-processor. Faults: `tokenizer.invalid` when two of its parts add tokens,
 * `tokenizer.limit`.
 */
export function readTemplate(processor: Component | null, place: string): Template {
  const adding = leaves(processor).filter(({ type }) => type !== 'ByteLevel')
  if (adding.length > 1)
    throw fault('tokenizer.invalid', {
      place,
      what: 'more than one part of the post-processor adds tokens',
      seen: adding.map(({ type }) => type),
    })
  const [part] = adding
  const template = part === undefined ? plainTemplate : fromPart(part, place)
  const most = Math.max(addedTokens(template.single), addedTokens(template.pair))
  if (most > mostAdded)
    throw fault('tokenizer.limit', {
      place,
      what: 'too many special tokens around a text',
      seen: most,
      wanted: `at most ${mostAdded}`,
    })
  return template
}

/** Parts that only move offsets, for the native core: those of ByteLevel, and of RobertaProcessing when it trims. */
export function offsetProcessor(processor: Component | null): Component | null {
  const processors = leaves(processor)
    .filter((part) => part['trim_offsets'] === true)
    .map((part): Component => ({
      type: 'ByteLevel',
      add_prefix_space: part['add_prefix_space'],
      trim_offsets: true,
      use_regex: true,
    }))
  if (processors.length === 0) return null
  return processors.length === 1 ? (processors[0] ?? null) : { type: 'Sequence', processors }
}

export function addedTokens(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + ('ids' in piece ? piece.ids.length : 0), 0)
}

/** Writes one or two texts, already cut to length, into their template. */
export function assemble(
  pieces: readonly Piece[],
  bodies: readonly Body[],
  wanted: { specialTokensMask: boolean; offsets: boolean },
): Encoded {
  const cols = pieces.reduce(
    (sum, piece) => sum + ('ids' in piece ? piece.ids.length : (bodies[piece.text]?.ids.length ?? 0)),
    0,
  )
  const ids = new Int32Array(cols)
  const typeIds = new Int32Array(cols)
  const specialTokensMask = wanted.specialTokensMask ? new Uint8Array(cols) : undefined
  const offsets = wanted.offsets ? new Int32Array(cols * 2) : undefined
  let at = 0
  for (const piece of pieces) {
    const body = 'ids' in piece ? undefined : bodies[piece.text]
    const part = 'ids' in piece ? piece.ids : (body?.ids ?? [])
    ids.set(part, at)
    if (piece.typeId !== 0) typeIds.fill(piece.typeId, at, at + part.length)
    if ('ids' in piece) specialTokensMask?.fill(1, at, at + part.length)
    else if (body?.offsets !== undefined) offsets?.set(body.offsets, at * 2)
    at += part.length
  }
  return { ids, typeIds, ...(specialTokensMask && { specialTokensMask }), ...(offsets && { offsets }) }
}

function fromPart(part: Component, place: string): Template {
  switch (part.type) {
    case 'BertProcessing': {
      const [cls, sep] = [idOf(part['cls']), idOf(part['sep'])]
      const single = [tokens(0, cls), text(0, 0), tokens(0, sep)]
      return { single, pair: [...single, text(1, 1), tokens(1, sep)], bare: bareText }
    }
    case 'RobertaProcessing': {
      const [cls, sep] = [idOf(part['cls']), idOf(part['sep'])]
      const single = [tokens(0, cls), text(0, 0), tokens(0, sep)]
      const bare = { single: [text(0, 0)], pair: [text(0, 0), text(1, 0)] }
      return { single, pair: [...single, tokens(0, sep), text(1, 0), tokens(0, sep)], bare }
    }
    default:
      return fromTemplateProcessing(part as unknown as TemplateProcessing, place)
  }
}

function fromTemplateProcessing(
  { single, pair, special_tokens: special }: TemplateProcessing,
  place: string,
): Template {
  const read = (piece: TemplatePiece): Piece => {
    if ('Sequence' in piece) return text(piece.Sequence.id === 'A' ? 0 : 1, piece.Sequence.type_id)
    const { id, type_id: typeId } = piece.SpecialToken
    const token = Object.hasOwn(special, id) ? special[id] : undefined
    if (token === undefined)
      throw fault('tokenizer.invalid', {
        place,
        what: 'the template uses a special token it does not define',
        seen: id,
      })
    return { ids: token.ids, typeId }
  }
  const pieces = { single: single.map(read), pair: pair.map(read) }
  if (pieces.single.some((piece) => 'text' in piece && piece.text === 1)) {
    throw fault('tokenizer.invalid', { place, what: 'the template for one text uses a second one' })
  }
  const texts = (list: readonly Piece[]): readonly Piece[] => list.filter((piece) => 'text' in piece)
  return { ...pieces, bare: { single: texts(pieces.single), pair: texts(pieces.pair) } }
}

/** The id of a checked `[token, id]`. */
function idOf(token: unknown): number {
  return (token as readonly [string, number])[1]
}
