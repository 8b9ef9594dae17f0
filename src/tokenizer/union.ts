/**
 * One vocabulary for several models: a tokenizer.json that keeps one model's ids and appends what the others have besides. Merges of the other models are not taken
 * over: an appended token is an added token, found as a whole (mergekit's rule).
 */
import { fault } from '../core/index.ts'

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

/** Token → id, of the model's own vocabulary and its added tokens, ids without a row left out. Throws `tokenizer.invalid`. */
export function vocabularyOf({ name, json, rows }: TokenizerInput): Map<string, number> {
  const { model, added_tokens: added = [] } = checked(json, name)
  const tokens = new Map<string, number>()
  for (const [token, id] of ownTokens(model, name)) if (id < rows) tokens.set(token, id)
  for (const { content, id } of added) if (id < rows) tokens.set(content, id)
  return tokens
}

/**
 * The tokenizer of `inputs[start]`, and – for a union – after its ids the other inputs' tokens in the order of inputs and ids, then their added tokens, then `more`.
 * Ids that have no row in the starting model are dropped, wherever they come from.
 */
export function joinTokenizers(
  inputs: readonly TokenizerInput[],
  { start, union, more = [] }: { start: number; union: boolean; more?: readonly string[] },
): JoinedTokenizer {
  const first = inputs[start]
  if (first === undefined) throw fault('internal', { place: 'tokenizers', what: 'no tokenizer to start from' })
  const json = checked(first.json, first.name)
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
    appended.push({ single_word: false, lstrip: false, rstrip: false, normalized: false, special: false, ...flags, id, content })
  }
  if (union) {
    const others = inputs.filter((_, i) => i !== start)
    const addedOf = (input: TokenizerInput): AddedToken[] => (checked(input.json, input.name).added_tokens ?? []).filter(({ id }) => id < input.rows)
    for (const input of others) {
      const added = new Set(addedOf(input).map(({ content }) => content))
      for (const [token] of [...vocabularyOf(input)].sort((a, b) => a[1] - b[1])) if (!added.has(token)) append(token)
    }
    for (const input of others) for (const { content, ...flags } of addedOf(input)) append(content, flags)
  }
  for (const token of more) append(token)
  return { tokens, json: { ...json, added_tokens: [...kept, ...appended] } }
}

/**
 * The settings of tokenizer_config.json for a joined tokenizer. Where they list the added tokens, they list them all: transformers 5 goes by that list and would lose those that only
 * tokenizer.json has.
 */
export function settingsFor(tokenizer: unknown, settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { added_tokens: added = [] } = checked(tokenizer, 'tokenizer.json')
  if (settings['added_tokens_decoder'] === undefined) return { ...settings }
  return { ...settings, added_tokens_decoder: Object.fromEntries(added.map(({ id, ...token }) => [id, token])) }
}

function checked(json: unknown, name: string): TokenizerJson {
  const { model, added_tokens: added = [] } = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>
  if (typeof model !== 'object' || model === null) throw fault('tokenizer.invalid', { place: name, what: 'tokenizer.json has no model' })
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
      throw fault('tokenizer.invalid', { place: name, what: 'a piece of the vocabulary is no text', seen: id })
    })
  }
  if (typeof vocab !== 'object' || vocab === null) throw fault('tokenizer.invalid', { place: name, what: 'tokenizer.json has no vocabulary' })
  return Object.entries(vocab).map(([token, id]: [string, unknown]) => {
    if (Number.isSafeInteger(id) && Number(id) >= 0 && Number(id) < 2 ** 31) return [token, Number(id)]
    throw fault('tokenizer.invalid', { place: name, what: 'an id is no whole number', seen: id })
  })
}
