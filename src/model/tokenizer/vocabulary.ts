/** Token ↔ id, counted as the native core counts: added tokens first, those the model lacks get the next free ids. */
import { toCharacter, toCodePoint, codePoints } from './code-points.ts'
import type { AddedToken, Definition } from './definition.ts'
import type { Model } from './vocabulary-model.ts'

export interface Vocabulary {
  /** Model tokens and added ones. */
  readonly size: number
  id(token: string): number | undefined
  token(id: number): string | undefined
}

export function vocabularyOf({ model, addedTokens }: Pick<Definition, 'model' | 'addedTokens'>): Vocabulary {
  const base = modelIds(model)
  const added = addedIds(addedTokens, base)
  let byId: Map<number, string> | undefined
  const beyond = [...added.keys()].filter((token) => base.id(token) === undefined).length
  return {
    size: base.size + beyond,
    id: (token) => added.get(token) ?? base.id(token),
    token(id) {
      byId ??= new Map([...base.entries(), ...[...added].map(([token, id]) => [id, token] as const)])
      return byId.get(id) ?? base.token?.(id)
    },
  }
}

interface ModelIds {
  readonly size: number
  id(token: string): number | undefined
  entries(): Iterable<readonly [number, string]>
  /** Where tokens are too many to be listed. */
  token?(id: number): string | undefined
}

function modelIds(model: Model): ModelIds {
  if (model.type === 'CodePoints') return { size: codePoints, id: toCodePoint, entries: () => [], token: toCharacter }
  if (model.type === 'Unigram') {
    const { vocab } = model
    let ids: Map<string, number> | undefined
    return {
      size: vocab.length,
      id: (token) => (ids ??= new Map(vocab.map(([token], id) => [token, id]))).get(token),
      entries: () => vocab.map(([token], id) => [id, token] as const),
    }
  }
  const { vocab } = model
  return {
    size: Object.keys(vocab).length,
    id: (token) => (Object.hasOwn(vocab, token) ? vocab[token] : undefined),
    entries: () => Object.entries(vocab).map(([token, id]) => [id, token] as const),
  }
}

/** Ids in the files are not consulted: the core numbers on from the model's size. */
function addedIds(tokens: readonly AddedToken[], base: ModelIds): ReadonlyMap<string, number> {
  const ids = new Map<string, number>()
  let next = base.size
  for (const { content } of tokens) {
    if (content !== '' && !ids.has(content)) ids.set(content, base.id(content) ?? next++)
  }
  return ids
}
