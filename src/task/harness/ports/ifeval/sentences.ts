/**
 * Where sentences end: punkt (Kiss & Strunk 2006, Unsupervised Multilingual Sentence Boundary Detection) with NLTK's
 * English parameters, as
 * `PunktSentenceTokenizer.tokenize` of NLTK 3.10.4 does it.
 */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { isLower, isUpper, strip } from './python-text.ts'
import { space, wordCharacter } from './regex-classes.ts'

interface Parameters {
  readonly abbreviations: ReadonlySet<string>
  readonly starters: ReadonlySet<string>
  /** `first\tsecond`. */
  readonly collocations: ReadonlySet<string>
  /** Word → how it was seen written, as bits. */
  readonly contexts: ReadonlyMap<string, number>
}

/** Seen with a capital inside a sentence; with one at all; in small letters at a beginning; in small letters at all. */
const seen = { capitalInside: 4, capital: 2 + 4 + 8, smallAtStart: 16, small: 16 + 32 + 64 }

let loaded: Parameters | undefined

function parameters(): Parameters {
  return (loaded ??= load())
}

function load(): Parameters {
  const packed = readFileSync(new URL('../../../../../assets/harness/sentences.json.br', import.meta.url))
  interface Stored extends Readonly<Record<'abbreviations' | 'starters' | 'collocations', readonly string[]>> {
    readonly words: string
    readonly contexts: readonly number[]
  }
  const { abbreviations, starters, collocations, words, contexts } = JSON.parse(
    brotliDecompressSync(packed).toString(),
  ) as Stored
  return {
    abbreviations: new Set(abbreviations),
    starters: new Set(starters),
    collocations: new Set(collocations),
    contexts: new Map(words.split('\n').map((word, i) => [word, contexts[i] ?? 0])),
  }
}

const closing = String.raw`\u2018\u2019\u201c\u201d\xab\xbb`
const notInWords = String.raw`[)";}\]*:@'({\[${closing}?!]`
const several = String.raw`(?:-{2,}|\.{2,}|(?:\.[${space}]){2,}\.)`
const token = new RegExp(
  String.raw`${several}|(?=[^("\x60{\[:;&#*@)}\]\-,])[^${space}]+?(?=[${space}]|$|${notInWords}|${several}|,(?=$|[${space}]|${notInWords}|${several}))|[^${space}]`,
  'gu',
)
const possibleEnd = new RegExp(
  String.raw`[.?!](?=(?<after>${notInWords}|(?<gap>[${space}]+)(?<next>[^${space}]+)))`,
  'gu',
)
const closed = new RegExp(String.raw`^["')\]}${closing}]+?(?:[${space}]+|(?=--)|$)`, 'u')

/** The sentences of a text, without the white space between them. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let realigned = 0
  const spans = spansOf(text)
  for (const [i, [start, end]] of spans.entries()) {
    const from = start + realigned
    const next = spans[i + 1]
    const match = next === undefined ? null : closed.exec(text.slice(...next))
    realigned = match === null ? 0 : match[0].length
    const to = match === null || next === undefined ? end : next[0] + rightStrip(match[0]).length
    if (to > from || match !== null) sentences.push(text.slice(from, to))
  }
  return sentences
}

function spansOf(text: string): [start: number, end: number][] {
  const spans: [number, number][] = []
  let start = 0
  for (const { end, next, context } of possibleEnds(text))
    if (hasBreak(context)) {
      spans.push([start, end])
      start = next ?? end
    }
  spans.push([start, rightStrip(text).length])
  return spans
}

interface PossibleEnd {
  readonly end: number
  /** Where the next word begins, if white space follows. */
  readonly next: number | undefined
  /** The word before, the mark and what follows. */
  readonly context: string
}

/** Marks that may end a sentence; the last one where a word has several. */
function possibleEnds(text: string): PossibleEnd[] {
  const found: PossibleEnd[] = []
  let before: [start: number, end: number] = [0, 0]
  let pending: PossibleEnd | undefined
  for (const match of text.matchAll(possibleEnd)) {
    const blank = lastBlank(text.slice(before[1], match.index))
    const word: [number, number] = [blank > 0 ? blank + before[1] + 1 : before[0], match.index]
    if (pending !== undefined && before[1] <= word[0]) found.push(pending)
    const { after = '', gap, next } = match.groups ?? {}
    pending = {
      end: match.index + 1,
      next: next === undefined || gap === undefined ? undefined : match.index + 1 + gap.length,
      context: text.slice(...word) + match[0] + after,
    }
    before = word
  }
  if (pending !== undefined) found.push(pending)
  return found
}

function lastBlank(text: string): number {
  for (let i = text.length - 1; i > 0; i--) if (' \t\n\r\v\f'.includes(text.charAt(i))) return i
  return 0
}

interface Token {
  readonly text: string
  /** In small letters, numbers made one. */
  readonly type: string
  sentenceBreak: boolean
  abbreviation: boolean
  ellipsis: boolean
}

const number = /^-?[.,]?\p{Nd}[\p{Nd},.-]*\.?$/u
const initial = new RegExp(String.raw`^(?!\p{Nd})${wordCharacter}\.$`, 'u')

/** Whether a sentence ends before the last token. */
function hasBreak(context: string): boolean {
  const tokens = context
    .split('\n')
    .filter((line) => strip(line) !== '')
    .flatMap((line) => Array.from(line.matchAll(token), ([text]) => firstLook(text)))
  for (const [i, one] of tokens.slice(0, -1).entries()) {
    const next = tokens[i + 1]
    if (next !== undefined && one.text.endsWith('.')) secondLook(one, next)
    if (one.sentenceBreak) return true
  }
  return false
}

/** By the token alone. */
function firstLook(text: string): Token {
  const small = text.toLowerCase()
  const found: Token = {
    text,
    type: small.replace(number, '##number##'),
    sentenceBreak: false,
    abbreviation: false,
    ellipsis: false,
  }
  if (text === '.' || text === '?' || text === '!') found.sentenceBreak = true
  else if (/^\.\.+$/.test(text)) found.ellipsis = true
  else if (text.endsWith('.') && !text.endsWith('..')) {
    const word = small.slice(0, -1)
    const { abbreviations } = parameters()
    found.abbreviation = abbreviations.has(word) || abbreviations.has(word.slice(word.lastIndexOf('-') + 1))
    found.sentenceBreak = !found.abbreviation
  }
  return found
}

/** By the token that follows a full stop. */
function secondLook(one: Token, next: Token): void {
  const { collocations, starters, contexts } = parameters()
  const type = withoutPeriod(one.type)
  const nextType = next.sentenceBreak ? withoutPeriod(next.type) : next.type
  const isInitial = initial.test(one.text)
  const asAbbreviation = (): void => {
    one.sentenceBreak = false
    one.abbreviation = true
  }
  if (collocations.has(`${type}\t${nextType}`)) {
    asAbbreviation()
    return
  }
  const starts = startsSentence(next, contexts.get(nextType) ?? 0)
  if (
    (one.abbreviation || one.ellipsis) &&
    !isInitial &&
    (starts === true || (isCapital(next) && starters.has(nextType)))
  ) {
    one.sentenceBreak = true
    return
  }
  if (!isInitial && type !== '##number##') return
  const alwaysCapital =
    starts === undefined && isInitial && isCapital(next) && ((contexts.get(nextType) ?? 0) & seen.small) === 0
  if (starts === false || alwaysCapital) asAbbreviation()
}

/** Whether how the word is written, here and elsewhere, shows that it begins a sentence. */
function startsSentence({ text }: Token, context: number): boolean | undefined {
  if (text.length === 1 && ';:,.!?'.includes(text)) return false
  if (isUpper(firstOf(text)) && (context & seen.small) !== 0 && (context & seen.capitalInside) === 0) return true
  if (isLower(firstOf(text)) && ((context & seen.capital) !== 0 || (context & seen.smallAtStart) === 0)) return false
  return undefined
}

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0)
const isCapital = ({ text }: Token): boolean => isUpper(firstOf(text))
const withoutPeriod = (type: string): string => (type.length > 1 && type.endsWith('.') ? type.slice(0, -1) : type)
const rightStrip = (text: string): string => strip(`.${text}`).slice(1)
