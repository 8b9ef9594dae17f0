/**
 * Where the words of a text begin and end: pieces whose tokens depend on nothing around them, cut as the native core
 * cuts. Not known where a text may hold an added token.
 */
import { addedInText, ascii, lowerCode } from './added-in-text.ts'
import { leaves } from './components.ts'
import type { Cut } from './cut.ts'
import { cutByKinds } from './cut-by-kinds.ts'
import { cutByPattern } from './cut-by-pattern.ts'
import type { Definition } from './definition.ts'

export interface WordCut {
  /** The character that stands for each ASCII character: plain words that differ only in it have the same tokens. */
  readonly fold: Uint8Array
  readonly cut: Cut
}

/** Normalizers that change nothing in plain texts but the case of letters, and one kind of white space to another. */
const gentle = new Set(['BertNormalizer', 'Lowercase', 'NFC', 'NFD', 'NFKC', 'NFKD', 'Nmt', 'StripAccents'])
/** Those that do so: patterns look at case and white space. */
const changing = new Set(['BertNormalizer', 'Lowercase', 'Nmt'])

/** Undefined where neighbours may change a word's tokens, or where the splitter is not known. */
export function wordCut({ normalizer, preTokenizer, addedTokens, model }: Definition): WordCut | undefined {
  // every character is a token already
  if (model.type === 'CodePoints') return undefined
  const [normalizers, splitters] = [leaves(normalizer), leaves(preTokenizer)]
  const added = addedInText(addedTokens, normalizers.length > 0)
  if (added === undefined || !normalizers.every(({ type }) => gentle.has(type))) return undefined
  const changes = normalizers.some(({ type }) => changing.has(type))
  const cut = cutByKinds(splitters, added) ?? (changes ? undefined : cutByPattern(splitters, added))
  if (cut === undefined) return undefined
  const lowers = normalizers.some(({ type, lowercase }) => type === 'Lowercase' || lowercase === true)
  return { fold: Uint8Array.from({ length: ascii }, (_, code) => (lowers ? lowerCode(code) : code)), cut }
}
