/** Which vectors make up the input of a probe: of each slot some texts or spans, averaged; slots stand side by side. */
import { fault } from '#core'
import type { ProbeInput, ProbeInstance, TaskType } from './data-set.ts'
import type { ProbeProfile } from './settings.ts'

/** A text as the model reads it, and the characters of it that are meant, in code points; all of it without. */
export interface Piece {
  readonly text: string
  readonly start?: number | undefined
  readonly end?: number | undefined
}

export interface PieceOptions {
  /** The tokenizer's separator token, empty where it has none. */
  readonly separator: string
  readonly profile: ProbeProfile
}

/** Characters that Holmes's code takes the separator for, whatever it is: two spaces and BERT's five. */
const holmesOffset = 7

/** Slots of pieces. Throws `task.value` for an instance that its task type does not fit. */
export function piecesOf(
  { id, inputs, contexts }: ProbeInstance,
  taskType: TaskType,
  { separator, profile }: PieceOptions,
): Piece[][] {
  const between = ` ${separator} `
  switch (taskType) {
    case 'SENTENCE':
    case 'SENTENCE_PAIR_BI':
      return inputs.map(({ text }) => [{ text }])
    case 'SENTENCE_PAIR_CROSS':
      return [[{ text: inputs.map(({ text }) => text).join(between) }]]
    case 'SENTENCE_TOKENS':
    case 'SENTENCE_PAIR_TOKENS_BI':
      return inputs.map((input) => [pieceIn(input, contexts, id)])
    case 'SENTENCE_SPANS':
      return slotsOf(inputs).map((slot) => slot.map((input) => pieceIn(input, contexts, id)))
    case 'SENTENCE_PAIR_TOKENS_CROSS': {
      if (contexts.length !== 2)
        throw fault('task.value', { place: `id ${id}`, what: 'a pair has two contexts', seen: contexts.length })
      const text = contexts.join(between)
      const shift = codePoints(contexts[0] ?? '') + (profile === 'holmes' ? holmesOffset : codePoints(between))
      return inputs.map((input) => {
        const { start = 0, end = 0 } = pieceIn(input, contexts, id)
        const by = input.span?.context === 0 ? 0 : shift
        return [{ text, start: start + by, end: end + by }]
      })
    }
    default:
      throw fault('internal', { place: id, what: 'no such task type', seen: taskType satisfies never })
  }
}

function pieceIn({ text, span }: ProbeInput, contexts: readonly string[], id: string): Piece {
  const context = span === undefined ? undefined : contexts[span.context]
  if (span === undefined || context === undefined)
    throw fault('task.value', { place: `id ${id}`, what: 'a part of no context', seen: text })
  return { text: context, start: span.start, end: span.end }
}

function slotsOf(inputs: readonly ProbeInput[]): ProbeInput[][] {
  const slots = new Map<number, ProbeInput[]>()
  for (const [index, input] of inputs.entries()) {
    const slot = input.slot ?? index
    const own = slots.get(slot) ?? []
    slots.set(slot, own)
    own.push(input)
  }
  return [...slots].sort(([a], [b]) => a - b).map(([, slot]) => slot)
}

function codePoints(text: string): number {
  return Array.from(text).length
}
