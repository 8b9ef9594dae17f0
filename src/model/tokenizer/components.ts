/**
 * Normalizers, pre-tokenizers, post-processors and decoders of a tokenizer.json, checked field by field against what
 * the native core (Hugging Face tokenizers 0.23) deserializes. Only known fields pass on to it: the core aborts the
 * process on some malformed parts.
 */
import { fault } from '#core'
import { describeUnread, fieldOf, isObject } from '#files/formats'
import { character, type Check, flag, id, invalid, list, oneOf, optional, orNull, text, whole } from './checks.ts'

/** A checked part: `type` and its fields as in the file. */
export type Component = { readonly type: string; readonly [field: string]: unknown }

export interface TemplateProcessing {
  readonly single: readonly TemplatePiece[]
  readonly pair: readonly TemplatePiece[]
  readonly special_tokens: Readonly<Record<string, { readonly ids: readonly number[] }>>
}

export type TemplatePiece =
  | { readonly Sequence: { readonly id: 'A' | 'B'; readonly type_id: number } }
  | { readonly SpecialToken: { readonly id: string; readonly type_id: number } }

export type ComponentKind = 'normalizer' | 'pre_tokenizer' | 'post_processor' | 'decoder'

const deepest = 16
const mostParts = 256
const mostPieces = 64

type Fields = Readonly<Record<string, Check>>

const behavior = oneOf('Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous')
const byteLevel: Fields = { add_prefix_space: flag, trim_offsets: flag, use_regex: optional(flag, true) }
const metaspace: Fields = {
  replacement: character,
  add_prefix_space: optional(orNull(flag), null),
  prepend_scheme: optional(oneOf('first', 'never', 'always'), 'always'),
  split: optional(flag, true),
}
const replace: Fields = { pattern, content: text }
const token: Check = (value, place) => {
  if (!Array.isArray(value) || value.length !== 2) throw invalid(place, 'not a token with its id', value)
  return [text(value[0], place), id(value[1], place)]
}

/** `'parts'` marks a field that holds a list of components of the same kind. */
const schemas: Readonly<Record<ComponentKind, Readonly<Record<string, Fields | { readonly parts: string }>>>> = {
  normalizer: {
    BertNormalizer: { clean_text: flag, handle_chinese_chars: flag, strip_accents: orNull(flag), lowercase: flag },
    Strip: { strip_left: flag, strip_right: flag },
    StripAccents: {},
    NFC: {},
    NFD: {},
    NFKC: {},
    NFKD: {},
    Lowercase: {},
    Nmt: {},
    ByteLevel: {},
    Precompiled: { precompiled_charsmap: charsmap },
    Replace: replace,
    Prepend: { prepend: text },
    Sequence: { parts: 'normalizers' },
  },
  pre_tokenizer: {
    BertPreTokenizer: {},
    ByteLevel: byteLevel,
    CharDelimiterSplit: { delimiter: character },
    Metaspace: metaspace,
    Whitespace: {},
    WhitespaceSplit: {},
    UnicodeScripts: {},
    Split: { pattern, behavior, invert: flag },
    Punctuation: { behavior: optional(behavior, 'Isolated') },
    Digits: { individual_digits: flag },
    FixedLength: { length: optional(whole(1, 1_000_000), 5) },
    Sequence: { parts: 'pretokenizers' },
  },
  post_processor: {
    BertProcessing: { sep: token, cls: token },
    RobertaProcessing: { sep: token, cls: token, trim_offsets: flag, add_prefix_space: flag },
    ByteLevel: byteLevel,
    TemplateProcessing: {
      single: list(piece, mostPieces),
      pair: list(piece, mostPieces),
      special_tokens: templateTokens,
    },
    Sequence: { parts: 'processors' },
  },
  decoder: {
    BPEDecoder: { suffix: text },
    ByteLevel: byteLevel,
    WordPiece: { prefix: text, cleanup: flag },
    Metaspace: metaspace,
    CTC: { pad_token: text, word_delimiter_token: text, cleanup: flag },
    Replace: replace,
    Fuse: {},
    ByteFallback: {},
    Strip: { content: character, start: whole(0, 1000), stop: whole(0, 1000) },
    Sequence: { parts: 'decoders' },
  },
}

/**
 * A component of `kind` with known fields only, or null. `onUnread` hears of the others. Faults: `tokenizer.invalid`,
 * `tokenizer.limit`.
 */
export function readComponent(
  kind: ComponentKind,
  value: unknown,
  place: string,
  onUnread: (line: string) => void,
): Component | null {
  let parts = 0
  const read = (value: unknown, place: string, depth: number): Component => {
    if (++parts > mostParts || depth > deepest)
      throw fault('tokenizer.limit', { place, what: 'too many parts', wanted: `at most ${mostParts}, ${deepest} deep` })
    if (!isObject(value)) throw invalid(place, 'not a component', value)
    const type = fieldOf(value, 'type')
    const known = schemas[kind]
    if (typeof type !== 'string' || !Object.hasOwn(known, type)) {
      throw invalid(place, `unknown ${kind.replace('_', '-')}`, type ?? null, Object.keys(known).join(', '))
    }
    const schema = known[type] ?? {}
    const fields = typeof schema['parts'] === 'string' ? [schema['parts']] : Object.keys(schema)
    for (const line of describeUnread({ place, fields: value }, ['type', ...fields, ...formerFields])) onUnread(line)
    if (typeof schema['parts'] === 'string') {
      const name = schema['parts']
      const each: Check<Component> = (part, place) => read(part, place, depth + 1)
      return { type, [name]: list(each, mostParts)(fieldOf(value, name), `${place}.${name}`) }
    }
    const checked = Object.entries(schema as Fields).map(([name, check]) => [
      name,
      check(fieldOf(value, name), `${place}.${name}`),
    ])
    return { type, ...(Object.fromEntries(checked) as Record<string, unknown>) }
  }
  return value === null || value === undefined ? null : read(value, place, 0)
}

/** Fields that the core wrote once, and reads no more. */
const formerFields = ['str_rep']

/** All parts of a component that are not sequences themselves, in order. */
export function leaves(component: Component | null): readonly Component[] {
  if (component === null) return []
  if (component.type !== 'Sequence') return [component]
  const parts = Object.values(component).find((value) => Array.isArray(value)) as readonly Component[] | undefined
  return (parts ?? []).flatMap(leaves)
}

function pattern(value: unknown, place: string): { readonly String: string } | { readonly Regex: string } {
  const keys = isObject(value) ? Object.keys(value) : []
  if (!isObject(value) || keys.length !== 1)
    throw invalid(place, 'not a pattern', value, '{"String": …} or {"Regex": …}')
  const [key] = keys
  if (key !== 'String' && key !== 'Regex') throw invalid(place, 'not a pattern', key, 'String, Regex')
  const source = text(value[key], place)
  // The core would replace the nothing between all characters.
  if (source === '') throw invalid(place, 'empty pattern')
  return key === 'String' ? { String: source } : { Regex: source }
}

/** Base64 of SentencePiece's character map; its inside is the core's to read. */
function charsmap(value: unknown, place: string): string {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(value) || value.length % 4 !== 0)
    throw invalid(place, 'not a character map in base64')
  return value
}

function piece(value: unknown, place: string): TemplatePiece {
  const [key, inner] = isObject(value) ? (Object.entries(value)[0] ?? []) : []
  if (!isObject(inner)) throw invalid(place, 'not a piece of a template', value)
  const typeId = whole(0, 1_000_000)(fieldOf(inner, 'type_id'), `${place}.type_id`)
  const name = fieldOf(inner, 'id')
  if (key === 'SpecialToken') return { SpecialToken: { id: text(name, place), type_id: typeId } }
  if (key !== 'Sequence') throw invalid(place, 'not a piece of a template', key, 'Sequence, SpecialToken')
  if (name !== 'A' && name !== 'B') throw invalid(place, 'not a text of a template', name, 'A, B')
  return { Sequence: { id: name, type_id: typeId } }
}

function templateTokens(value: unknown, place: string): Readonly<Record<string, { readonly ids: readonly number[] }>> {
  if (!isObject(value)) throw invalid(place, 'not a table of special tokens', value)
  const entries = Object.entries(value).map(([name, entry]) => {
    if (!isObject(entry)) throw invalid(place, 'not a special token', name)
    return [name, { ids: list(id, mostPieces)(fieldOf(entry, 'ids'), `${place}.${name}.ids`) }] as const
  })
  return Object.fromEntries(entries)
}
