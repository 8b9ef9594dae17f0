/** Vocabularies with tokens taken out and words put in: ids close up, new ones follow. */
import { mergeBook } from './merge-book.ts'
import type { TableModel } from './vocabulary-model.ts'

/** In the order of their ids. */
export function orderedTokens(model: TableModel): readonly string[] {
  return model.type === 'Unigram'
    ? model.vocab.map(([token]) => token)
    : Object.entries(model.vocab)
        .toSorted(([, a], [, b]) => a - b)
        .map(([token]) => token)
}

/** The model with `tokens` alone, in that order; merges that need another token go with it. */
export function withoutTokens(model: TableModel, tokens: readonly string[], unknown: string | undefined): TableModel {
  const ids = new Map(tokens.map((token, id) => [token, id]))
  const unk = unknown !== undefined && ids.has(unknown) ? unknown : null
  switch (model.type) {
    case 'Unigram': {
      const scores = new Map(model.vocab)
      const least = leastScore(model.vocab)
      return {
        ...model,
        vocab: tokens.map((token) => [token, scores.get(token) ?? least] as const),
        unk_id: unk === null ? null : (ids.get(unk) ?? null),
      }
    }
    case 'BPE':
      return {
        ...model,
        vocab: Object.fromEntries(ids),
        merges: model.merges.filter(([left, right]) => ids.has(left) && ids.has(right) && ids.has(left + right)),
        unk_token: unk,
      }
    case 'WordPiece':
    case 'WordLevel':
      return { ...model, vocab: Object.fromEntries(ids), unk_token: unknown ?? model.unk_token }
    default:
      return model satisfies never
  }
}

/**
 * With `words` as tokens that the model finds by itself – for BPE with the merges that lead there, and the tokens
 * between – then `whole` as tokens that are found by their text. `added`: every new token.
 */
export function withWords(
  model: TableModel,
  words: readonly string[],
  whole: readonly string[],
): { model: TableModel; added: ReadonlySet<string> } {
  const tokens = [...orderedTokens(model)]
  const known = new Set(tokens)
  const added = new Set<string>()
  const add = (token: string): void => {
    if (known.has(token)) return
    known.add(token)
    tokens.push(token)
    added.add(token)
  }
  const book = model.type === 'BPE' ? mergeBook(model.merges) : undefined
  for (const word of words) {
    add(word)
    book?.learn(word).forEach(add)
  }
  whole.forEach(add)
  const renewed = withoutTokens(model, tokens, undefined)
  if (model.type === 'Unigram') return { model: { ...renewed, unk_id: model.unk_id } as TableModel, added }
  return {
    model: { ...renewed, unk_token: model.unk_token, ...(book && { merges: book.merges }) } as TableModel,
    added,
  }
}

function leastScore(vocab: readonly (readonly [string, number])[]): number {
  return vocab.reduce((least, [, score]) => Math.min(least, score), vocab.length === 0 ? -100 : Infinity)
}
