/**
 * The `model` of a tokenizer.json – BPE, WordPiece, WordLevel, Unigram – with every id, merge and score checked before
 * native code sees it.
 */
import { fault } from '#core'
import { fieldOf, isObject } from '#files/formats'
import { flag, id, invalid, isId, optional, orNull, text, whole } from './checks.ts'

type Ids = Readonly<Record<string, number>>

export type Model =
  | {
      readonly type: 'BPE'
      readonly vocab: Ids
      readonly merges: readonly (readonly [string, string])[]
      /** Random segmentation is for training: never set. */
      readonly dropout: null
      readonly unk_token: string | null
      readonly continuing_subword_prefix: string | null
      readonly end_of_word_suffix: string | null
      readonly fuse_unk: boolean
      readonly byte_fallback: boolean
      readonly ignore_merges: boolean
    }
  | {
      readonly type: 'WordPiece'
      readonly vocab: Ids
      readonly unk_token: string
      readonly continuing_subword_prefix: string
      readonly max_input_chars_per_word: number
    }
  | { readonly type: 'WordLevel'; readonly vocab: Ids; readonly unk_token: string }
  | {
      readonly type: 'Unigram'
      readonly vocab: readonly (readonly [string, number])[]
      readonly unk_id: number | null
      readonly byte_fallback: boolean
    }
  /** Every character is a token; made for a class of tokenizers, never read from a tokenizer.json. */
  | { readonly type: 'CodePoints' }

/** Those with a table of tokens. */
export type TableModel = Exclude<Model, { readonly type: 'CodePoints' }>

/** Fields of any of them. */
export const modelFields: readonly string[] = [
  'type',
  'vocab',
  'merges',
  'dropout',
  'unk_token',
  'unk_id',
  'continuing_subword_prefix',
  'end_of_word_suffix',
  'max_input_chars_per_word',
  'fuse_unk',
  'byte_fallback',
  'ignore_merges',
]

/** Four times the largest vocabulary in use. */
const mostEntries = 2 ** 22
const modelTypes = ['BPE', 'WordPiece', 'WordLevel', 'Unigram'] as const

/** Faults: `tokenizer.invalid`, `tokenizer.limit`. */
export function readModel(value: unknown, place: string): Model {
  if (!isObject(value)) throw invalid(place, 'not a model', value, 'an object')
  const type = fieldOf(value, 'type') ?? guessType(value)
  const known = modelTypes.find((name) => name === type)
  switch (known) {
    case 'BPE':
      return readBpe(value, place)
    case 'WordPiece':
      return readWordPiece(value, place)
    case 'WordLevel': {
      const vocab = readIds(fieldOf(value, 'vocab'), `${place}.vocab`)
      return { type: 'WordLevel', vocab, unk_token: unknownToken(value, vocab, place) }
    }
    case 'Unigram':
      return readUnigram(value, place)
    case undefined:
      throw invalid(`${place}.type`, 'unknown model type', type, modelTypes.join(', '))
    default:
      return known satisfies never
  }
}

/** The first tokenizer.json files named no type; the core tells them apart by their fields. */
function guessType(value: Record<string, unknown>): (typeof modelTypes)[number] {
  if (Array.isArray(fieldOf(value, 'vocab'))) return 'Unigram'
  if (Object.hasOwn(value, 'merges')) return 'BPE'
  return Object.hasOwn(value, 'continuing_subword_prefix') ? 'WordPiece' : 'WordLevel'
}

/** A BPE model except for its vocabulary and its merges: nothing unknown is replaced, no part is marked. */
export const plainBpe = {
  dropout: null,
  unk_token: null,
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  fuse_unk: false,
  byte_fallback: false,
  ignore_merges: false,
} as const

function readBpe(value: Record<string, unknown>, place: string): Model {
  const vocab = readIds(fieldOf(value, 'vocab'), `${place}.vocab`)
  const named = (name: string): string | null => optional(orNull(text), null)(fieldOf(value, name), `${place}.${name}`)
  const flagged = (name: string): boolean => optional(flag, false)(fieldOf(value, name), `${place}.${name}`)
  const prefix = named('continuing_subword_prefix')
  return {
    type: 'BPE',
    vocab,
    merges: readMerges(fieldOf(value, 'merges'), vocab, prefix ?? '', `${place}.merges`),
    dropout: null,
    unk_token: named('unk_token'),
    continuing_subword_prefix: prefix,
    end_of_word_suffix: named('end_of_word_suffix'),
    fuse_unk: flagged('fuse_unk'),
    byte_fallback: flagged('byte_fallback'),
    ignore_merges: flagged('ignore_merges'),
  }
}

/**
 * Merges as pairs, from `["a", "b"]` or the older `"a b"`. The core copies both sides into a buffer of the longest
 * token's size: a merge that makes no token would overrun it.
 */
export function readMerges(
  value: unknown,
  vocab: Ids,
  prefix: string,
  place: string,
): readonly (readonly [string, string])[] {
  if (!Array.isArray(value)) throw invalid(place, 'not a list of merges', value)
  checkCount(value.length, place)
  return value.map((entry: unknown, index) => {
    const pair: unknown[] = Array.isArray(entry) ? entry : []
    const parts = typeof entry === 'string' ? entry.split(' ') : pair
    const [left, right] = parts
    if (parts.length !== 2 || typeof left !== 'string' || typeof right !== 'string')
      throw invalid(`${place}[${index}]`, 'not a pair of tokens', entry)
    if (!right.startsWith(prefix))
      throw invalid(`${place}[${index}]`, 'the second token lacks the prefix of word parts', right, prefix)
    for (const token of [left, right, left + right.slice(prefix.length)]) {
      if (!Object.hasOwn(vocab, token))
        throw invalid(`${place}[${index}]`, 'merges to or from a token outside the vocabulary', token)
    }
    return [left, right] as const
  })
}

function readWordPiece(value: Record<string, unknown>, place: string): Model {
  const vocab = readIds(fieldOf(value, 'vocab'), `${place}.vocab`)
  return {
    type: 'WordPiece',
    vocab,
    unk_token: unknownToken(value, vocab, place),
    continuing_subword_prefix: text(fieldOf(value, 'continuing_subword_prefix'), `${place}.continuing_subword_prefix`),
    max_input_chars_per_word: whole(0, 1_000_000)(
      fieldOf(value, 'max_input_chars_per_word'),
      `${place}.max_input_chars_per_word`,
    ),
  }
}

function readUnigram(value: Record<string, unknown>, place: string): Model {
  const vocab = fieldOf(value, 'vocab')
  if (!Array.isArray(vocab)) throw invalid(`${place}.vocab`, 'not a list of tokens with scores', vocab)
  checkCount(vocab.length, `${place}.vocab`)
  const scored = vocab.map((entry: unknown, index) => {
    const [token, score] = Array.isArray(entry) && entry.length === 2 ? (entry as unknown[]) : []
    if (typeof token !== 'string' || typeof score !== 'number' || !Number.isFinite(score)) {
      throw invalid(`${place}.vocab[${index}]`, 'not a token with its score', entry)
    }
    return [token, score] as const
  })
  return {
    type: 'Unigram',
    vocab: scored,
    unk_id: optional(orNull(whole(0, scored.length - 1)), null)(fieldOf(value, 'unk_id'), `${place}.unk_id`),
    byte_fallback: optional(flag, false)(fieldOf(value, 'byte_fallback'), `${place}.byte_fallback`),
  }
}

/** Token → id. The object is the parsed one: own keys only, `__proto__` among them is a plain key. */
export function readIds(value: unknown, place: string): Ids {
  if (!isObject(value)) throw invalid(place, 'not a table of token ids', value)
  const tokens = Object.keys(value)
  checkCount(tokens.length, place)
  const wrong = tokens.find((token) => !isId(value[token]))
  if (wrong !== undefined) id(value[wrong], `${place} › ${wrong.slice(0, 40)}`)
  return value as Ids
}

function checkCount(count: number, place: string): void {
  if (count > mostEntries)
    throw fault('tokenizer.limit', { place, what: 'too many entries', seen: count, wanted: `at most ${mostEntries}` })
}

/** Without it the first unknown word could not be encoded. */
function unknownToken(value: Record<string, unknown>, vocab: Ids, place: string): string {
  const token = text(fieldOf(value, 'unk_token'), `${place}.unk_token`)
  if (!Object.hasOwn(vocab, token))
    throw invalid(`${place}.unk_token`, 'the token for unknown words is not in the vocabulary', token)
  return token
}
