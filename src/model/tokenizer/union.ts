/**
 * One vocabulary for several models: a tokenizer.json that keeps one model's ids and appends what the others have
 * besides. Merges of the other models are not taken over: an appended token is an added token, found as a whole
 * (mergekit's rule).
 */
import { fault } from '#core'
import { withoutCollisions } from './colliding-tokens.ts'

/** A parsed tokenizer.json with the name that messages use. */
export interface TokenizerInput {
  readonly name: string
  readonly json: unknown
  /** Rows of the model's embedding: ids from here on have none and are left out. */
  readonly rows: number
}

export interface JoinedTokenizer {
  /** Id → token; undefined for an id that no token has. */
  readonly tokens: readonly (string | undefined)[]
  /** The new tokenizer.json. */
  readonly json: unknown
}

interface AddedToken {
  readonly id: number
  readonly content: string
  readonly [flag: string]: unknown
}

interface TokenizerJson {
  readonly model: Record<string, unknown>
  readonly added_tokens?: readonly AddedToken[]
  readonly [key: string]: unknown
}

/**
 * Token → id, of the model's own vocabulary and its added tokens, ids without a row left out. Throws
 * `tokenizer.invalid`.
 */
export function vocabularyOf({ name, json, rows }: TokenizerInput): Map<string, number> {
  const { model, added_tokens: added = [] } = checked(json, name)
  const tokens = new Map<string, number>()
  for (const [token, id] of ownTokens(model, name)) if (id < rows) tokens.set(token, id)
  for (const { content, id } of added) if (id < rows) tokens.set(content, id)
  return tokens
}

/**
 * The tokenizer of `inputs[start]`, and – for a union – after its ids the other inputs' tokens in the order of inputs
 * and ids, then their added tokens, then `more`.
 * A token that any input has as an added one is added here too, with the first one's flags, even where it is an
 * ordinary piece of the starting model (mergekit's rule).
 * Ids that have no row in the starting model are dropped, wherever they come from.
 */
export function joinTokenizers(
  inputs: readonly TokenizerInput[],
  { start, union, more = [] }: { start: number; union: boolean; more?: readonly string[] },
): JoinedTokenizer {
  const first = inputs[start]
  if (first === undefined) throw fault('internal', { place: 'tokenizers', what: 'no tokenizer to start from' })
  const json = withRows(checked(first.json, first.name), first)
  const ids = vocabularyOf(first)
  const tokens: (string | undefined)[] = []
  for (const [token, id] of ids) tokens[id] = token
  const kept = (json.added_tokens ?? []).filter(({ id }) => id < first.rows)
  const appended: AddedToken[] = []
  const append = (content: string, flags: Partial<AddedToken> = {}): void => {
    if (ids.has(content)) return
    const id = tokens.length
    ids.set(content, id)
    tokens[id] = content
    // The flags of a token that is added as a mere text: looked for in normalised text, as pieces with a word's mark in
    // front must be.
    appended.push({
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: true,
      special: false,
      ...flags,
      id,
      content,
    })
  }
  if (union) {
    const others = inputs.filter((_, i) => i !== start)
    const added = new Map<string, AddedToken>()
    for (const input of others)
      for (const token of checked(input.json, input.name).added_tokens ?? [])
        if (token.id < input.rows && !added.has(token.content)) added.set(token.content, token)
    for (const input of others)
      for (const [token] of [...vocabularyOf(input)].sort((a, b) => a[1] - b[1])) if (!added.has(token)) append(token)
    const already = new Set(kept.map(({ content }) => content))
    for (const [content, flags] of added) {
      const id = ids.get(content)
      if (id === undefined) append(content, flags)
      else if (!already.has(content)) kept.push({ ...flags, id })
    }
    kept.sort((a, b) => a.id - b.id)
  }
  for (const token of more) append(token)
  return { tokens, json: { ...json, added_tokens: withoutCollisions([...kept, ...appended], json['normalizer']) } }
}

/**
 * The settings of tokenizer_config.json for a joined tokenizer. Where they list the added tokens, they list them all:
 * transformers 5 goes by that list and would lose those that only tokenizer.json has.
 */
export function settingsFor(tokenizer: unknown, settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { added_tokens: added = [] } = checked(tokenizer, 'tokenizer.json')
  if (settings['added_tokens_decoder'] === undefined) return { ...settings }
  return { ...settings, added_tokens_decoder: Object.fromEntries(added.map(({ id, ...token }) => [id, token])) }
}

/** Without the pieces that have no row, and the merges that need or make one. */
function withRows(json: TokenizerJson, { name, rows }: TokenizerInput): TokenizerJson {
  const { vocab, merges, continuing_subword_prefix: prefix } = json.model
  if (ownTokens(json.model, name).every(([, id]) => id < rows)) return json
  if (Array.isArray(vocab)) return { ...json, model: { ...json.model, vocab: vocab.slice(0, rows) } }
  const kept = new Map(ownTokens(json.model, name).filter(([, id]) => id < rows))
  const made = (left: string, right: string): string =>
    left + (typeof prefix === 'string' && right.startsWith(prefix) ? right.slice(prefix.length) : right)
  const isMade = (merge: unknown): boolean => {
    const pair = Array.isArray(merge) ? (merge as unknown[]).map(String) : []
    const [left, right, ...more] = typeof merge === 'string' ? merge.split(' ') : pair
    if (left === undefined || right === undefined || more.length > 0)
      throw fault('tokenizer.invalid', { place: name, what: 'a merge is not a pair', seen: merge })
    return kept.has(left) && kept.has(right) && kept.has(made(left, right))
  }
  return {
    ...json,
    model: {
      ...json.model,
      vocab: Object.fromEntries(kept),
      ...(Array.isArray(merges) ? { merges: merges.filter(isMade) } : {}),
    },
  }
}

function checked(json: unknown, name: string): TokenizerJson {
  const { model, added_tokens: added = [] } = (typeof json === 'object' && json !== null ? json : {}) as Record<
    string,
    unknown
  >
  if (typeof model !== 'object' || model === null)
    throw fault('tokenizer.invalid', { place: name, what: 'tokenizer.json has no model' })
  const valid = Array.isArray(added) && added.every((token: unknown) => isAdded(token))
  if (!valid) throw fault('tokenizer.invalid', { place: name, what: 'added_tokens is not a list of tokens with ids' })
  return json as TokenizerJson
}

function isAdded(token: unknown): boolean {
  if (typeof token !== 'object' || token === null) return false
  const { id, content } = token as Record<string, unknown>
  return typeof content === 'string' && Number.isSafeInteger(id) && Number(id) >= 0 && Number(id) < 2 ** 31
}

/** WordPiece, BPE and WordLevel keep a table, Unigram a list whose places are the ids. */
function ownTokens(model: Record<string, unknown>, name: string): [string, number][] {
  const { vocab } = model
  if (Array.isArray(vocab)) {
    return vocab.map((entry: unknown, id): [string, number] => {
      if (Array.isArray(entry) && typeof entry[0] === 'string') return [entry[0], id]
      throw fault('tokenizer.invalid', { place: name, what: 'a piece of the vocabulary is not a text', seen: id })
    })
  }
  if (typeof vocab !== 'object' || vocab === null)
    throw fault('tokenizer.invalid', { place: name, what: 'tokenizer.json has no vocabulary' })
  return Object.entries(vocab).map(([token, id]: [string, unknown]) => {
    if (Number.isSafeInteger(id) && Number(id) >= 0 && Number(id) < 2 ** 31) return [token, Number(id)]
    throw fault('tokenizer.invalid', { place: name, what: 'an id is not a whole number', seen: id })
  })
}
