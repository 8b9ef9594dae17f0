/**
 * Which tokenizers the native core may run inside this process. Its code panics on unusual combinations of parts, and a
 * panic aborts the process; some regular expressions backtrack without end. So only arrangements that published
 * tokenizers use run here, and they were run with tens of thousands of mutated files and texts without a panic; every
 * other one gets a process of its own. Hugging Face tokenizers 0.23.
 */
import { fault } from '#core'
import { type Component, leaves } from './components.ts'
import type { Definition } from './definition.ts'
import { isLinear } from './patterns.ts'

/** The core tries every end for every start of a word: cubic in its length. Published models say 100. */
const longestWord = 200
/** Unigram copies every token that matches at a position. */
const longestToken = 256
/** A chain of replacements that could make a text this many times longer is an attack on memory. */
const mostGrowth = 1000
const longestAffix = 1000

/**
 * Why this tokenizer must be kept apart, or undefined. Faults: `tokenizer.limit` for replacements that multiply the
 * text.
 */
export function needsOwnProcess(definition: Definition, place: string): string | undefined {
  checkGrowth(definition, place)
  const { normalizer, preTokenizer, decoder, model, addedTokens } = definition
  const parts = [normalizer, preTokenizer, decoder].flatMap(leaves)
  if (!parts.every(hasLinearPattern)) return 'unknown regular expression'
  if (!isUsualNormalizer(leaves(normalizer), preTokenizer)) return 'unusual normalizer'
  if (!isUsualPreTokenizer(leaves(preTokenizer))) return 'unusual pre-tokenizer'
  // Reads before the start of tokens shorter than what it strips.
  if (leaves(decoder).some((part) => part.type === 'Strip' && part['stop'] !== 0)) return 'decoder that strips ends'
  if (model.type === 'WordPiece' && model.max_input_chars_per_word > longestWord) return 'very long words'
  if (model.type === 'Unigram' && model.vocab.some(([token]) => token.length > longestToken)) return 'very long tokens'
  // Matches that overlap, or that normalization makes empty, are sliced backwards.
  if (addedTokens.some((token) => token.rstrip) && addedTokens.some(({ content }) => /^\s/.test(content)))
    return 'added tokens that overlap'
  if (normalizer !== null && addedTokens.some((token) => token.normalized && !/[a-z0-9]/i.test(token.content)))
    return 'added tokens that may vanish'
  return undefined
}

function hasLinearPattern(part: Component): boolean {
  const pattern = part['pattern'] as { readonly Regex?: string } | undefined
  return pattern?.Regex === undefined || isLinear(pattern.Regex)
}

/**
 * Parts that change characters in place, in any order. `Precompiled` is not among them: a malformed map panics on
 * loading or on some character.
 */
const gentle = new Set(['BertNormalizer', 'Lowercase', 'NFC', 'NFD', 'NFKC', 'NFKD', 'Nmt', 'StripAccents', 'Replace'])

function isUsualNormalizer(parts: readonly Component[], preTokenizer: Component | null): boolean {
  const [first, second, ...more] = parts
  // Llama's: a mark in front, spaces to marks, and no splitting.
  if (first?.type === 'Prepend') {
    return (
      isCharacter(first['prepend']) &&
      second?.type === 'Replace' &&
      isCharacter(second['content']) &&
      more.length === 0 &&
      preTokenizer === null
    )
  }
  return parts.every((part) => gentle.has(part.type) && (part.type !== 'Replace' || part['content'] !== ''))
}

/** Names of the parts in order. */
const usual: readonly RegExp[] = [
  /^$/,
  /^BertPreTokenizer$/,
  /^Whitespace$/,
  /^WhitespaceSplit$/,
  /^(WhitespaceSplit )?Metaspace$/,
  /^ByteLevel$/,
  /^(Split |Digits |Punctuation )+ByteLevel$/,
  // Gemma's split at spaces.
  /^Split$/,
  // Falcon's
  /^Punctuation ByteLevel Digits Split$/,
]

function isUsualPreTokenizer(parts: readonly Component[]): boolean {
  const names = parts.map(({ type }) => type).join(' ')
  if (!usual.some((pattern) => pattern.test(names))) return false
  const plainSplits = parts.every((part) => part.type !== 'Split' || part['invert'] === false)
  // A space put in front of every piece of an earlier split belongs to no character of the text.
  const prefixed =
    parts.length > 1 && parts.some((part) => part.type === 'ByteLevel' && part['add_prefix_space'] === true)
  return plainSplits && !prefixed
}

function isCharacter(value: unknown): boolean {
  return typeof value === 'string' && Array.from(value).length === 1
}

function checkGrowth({ normalizer, decoder }: Definition, place: string): void {
  for (const component of [normalizer, decoder]) {
    let growth = 1
    for (const part of leaves(component)) {
      growth *= growthOf(part)
      const affix = part['prepend'] ?? part['suffix']
      if (growth > mostGrowth || (typeof affix === 'string' && affix.length > longestAffix)) {
        throw fault('tokenizer.limit', {
          place,
          what: 'replacements multiply the text',
          seen: part.type,
          wanted: `at most ${mostGrowth} times`,
        })
      }
    }
  }
}

/** How many times longer a text can get; a regular expression may match nothing at all between any two characters. */
function growthOf(part: Component): number {
  if (part.type !== 'Replace') return 1
  const content = Buffer.byteLength(part['content'] as string)
  const pattern = part['pattern'] as { readonly String?: string }
  return pattern.String === undefined ? content + 1 : Math.max(1, content / Buffer.byteLength(pattern.String))
}
