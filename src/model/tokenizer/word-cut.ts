/**
 * Where the words of a text begin and end: pieces whose tokens depend on nothing around them, cut as the native core
 * cuts. Known for the splitters at white space and punctuation, and for ASCII's visible characters, spaces, tabs and
 * line ends; a stretch between spaces that has other characters is one word. Not known where a text may hold an added
 * token.
 */
import { type Component, leaves } from './components.ts'
import type { AddedToken, Definition } from './definition.ts'

export interface WordCut {
  /**
   * The character that stands for each ASCII character: plain words that differ only in it have the same tokens.
   */
  readonly fold: Uint8Array
  /**
   * Beginnings and ends of the words, alternating, into `places`, which has room for two numbers per character; the
   * beginning of a word that is not plain ASCII is inverted (~). The number of words, or −1 where the cut of this text
   * is not known.
   */
  cut(text: string, places: Int32Array): number
}

/** Kinds of characters: runs of one kind are a word, a `single` is one by itself. */
const [unknown, space, single, word, other] = [0, 1, 2, 3, 4]

const [ascii, firstVisible, lastVisible] = [128, 0x21, 0x7e]
const spaces = '\t\n\r '
/** Words beyond it are not worth keeping: texts without spaces are stretches as long as they are. */
const [longestWord, longestStretch] = [128, 32]

/** Normalizers that change nothing in such texts but the case of letters, and one kind of white space to another. */
const gentle = new Set(['BertNormalizer', 'Lowercase', 'NFC', 'NFD', 'NFKC', 'NFKD', 'Nmt', 'StripAccents'])

/** Undefined where neighbours may change a word's tokens, or where this file does not know the splitter. */
export function wordCut({ normalizer, preTokenizer, addedTokens }: Definition): WordCut | undefined {
  const normalizers = leaves(normalizer)
  const kinds = kindsOf(leaves(preTokenizer))
  if (kinds === undefined || !normalizers.every(({ type }) => gentle.has(type))) return undefined
  const lowers = normalizers.some(({ type, lowercase }) => type === 'Lowercase' || lowercase === true)
  const fold = Uint8Array.from({ length: ascii }, (_, code) => (lowers ? lower(code) : code))
  const added = findAdded(addedTokens, normalizers.length > 0)
  return added && { fold, cut: (text, places) => cutByKinds(text, { kinds, ...added, places }) }
}

/** The kind of each ASCII character; undefined for other splitters. */
function kindsOf(splitters: readonly Component[]): Uint8Array | undefined {
  const [splitter, ...more] = splitters
  const runs = more.length > 0 ? undefined : runKind[splitter?.type ?? '']
  if (runs === undefined) return undefined
  const kinds = new Uint8Array(ascii)
  for (let code = firstVisible; code <= lastVisible; code++) kinds[code] = runs(String.fromCharCode(code))
  for (const character of spaces) kinds[character.charCodeAt(0)] = space
  return kinds
}

const runKind: Readonly<Record<string, (character: string) => number>> = {
  BertPreTokenizer: (character) => (/[a-z0-9]/i.test(character) ? word : single),
  // \w+|[^\w\s]+
  Whitespace: (character) => (/\w/.test(character) ? word : other),
  WhitespaceSplit: () => word,
}

interface Added {
  /** Whether stretches between spaces are words whatever their characters. */
  readonly knowsStretches: boolean
  /** 1 for the first characters of added tokens. */
  readonly starts: Uint8Array
  /** Added tokens by their first two characters. */
  readonly byStart: ReadonlyMap<number, readonly string[]>
}

/**
 * Added tokens that a text may hold, case and kind of white space aside. Undefined where normalization may turn an added
 * token into something else than its letters.
 */
function findAdded(tokens: readonly AddedToken[], normalizes: boolean): Added | undefined {
  const starts = new Uint8Array(ascii)
  const byStart = new Map<number, string[]>()
  let knowsStretches = true
  for (const { content, normalized } of tokens) {
    if (content === '') continue
    // it may begin in one stretch and end in the next
    if (/\s/.test(content) && (normalized || !isPlain(content))) knowsStretches = false
    if (!isPlain(content)) {
      if (normalized && normalizes) return undefined
      continue
    }
    const plain = plainForm(content)
    const start = startKey(plain.charCodeAt(0), plain.charCodeAt(1))
    byStart.set(start, [...(byStart.get(start) ?? []), plain])
    for (let code = 0; code < ascii; code++) if (plainCode(code) === plain.charCodeAt(0)) starts[code] = 1
  }
  return { knowsStretches, starts, byStart }
}

/** Keys of a token of one character have NaN, that is 0, for the second. */
function startKey(first: number, second: number): number {
  return (first << 7) | second
}

function lower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code
}

function isPlain(text: string): boolean {
  return /^[\t\n\r -~]*$/.test(text)
}

function plainCode(code: number): number {
  return spaces.includes(String.fromCharCode(code)) ? 0x20 : lower(code)
}

function plainForm(text: string): string {
  return text.replace(/[\t\n\r]/g, ' ').toLowerCase()
}

function holdsAdded(text: string, at: number, byStart: Added['byStart']): boolean {
  const first = plainCode(text.charCodeAt(at))
  const listed = (second: number): boolean =>
    byStart.get(startKey(first, second))?.some((token) => plainForm(text.slice(at, at + token.length)) === token) ===
    true
  return listed(0) || (at + 1 < text.length && listed(plainCode(text.charCodeAt(at + 1))))
}

interface KindCut extends Added {
  readonly kinds: Uint8Array
  readonly places: Int32Array
}

function cutByKinds(text: string, { kinds, knowsStretches, starts, byStart, places }: KindCut): number {
  let [words, begin, run] = [0, 0, space]
  /** Beginning of this stretch between spaces, and the number of words before it. */
  let [stretch, before, plain] = [0, 0, true]
  for (let at = 0; at <= text.length; at++) {
    // a space ends the last word
    const code = at < text.length ? text.charCodeAt(at) : 0x20
    const kind = code < ascii ? (kinds[code] ?? unknown) : unknown
    if (kind === unknown && !knowsStretches) return -1
    if (starts[code] === 1 && holdsAdded(text, at, byStart)) return -1
    plain &&= kind !== unknown
    if (kind === run && kind !== single) continue
    if (kind === space && !plain) {
      if (at - stretch > longestStretch) return -1
      words = before + 1
      places[2 * before] = ~stretch
      places[2 * before + 1] = at
    } else if (run !== space && plain) {
      if (at - begin > longestWord) return -1
      places[2 * words] = begin
      places[2 * words + 1] = at
      words++
    }
    if (run === space) {
      stretch = at
      before = words
    }
    if (kind === space) plain = true
    begin = at
    run = kind
  }
  return words
}
