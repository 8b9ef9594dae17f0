/**
 * Texts to the words that BM25 counts, as bm25s 0.3.16 splits them and mteb 2.26.24 chooses stop words, stemmer and
 * splitter by a task's language (`BM25Tokenizer`).
 */
import { snowballStemmer } from './snowball.ts'

/** How the texts of one language become words. */
export interface WordRules {
  /** Text → words, repetitions included. */
  readonly split: (text: string) => string[]
  /** Words that are not counted; undefined: stems that nearly every document has. */
  readonly stopwords: ReadonlySet<string> | undefined
  readonly stem: (word: string) => string
  /** Precedes every document. */
  readonly lead: string
}

/** ISO 639-3 → the language as PyStemmer names it (mteb, `_ISO3_TO_LANG`). */
const stemmed = new Map(
  (
    'eng:english deu:german nld:dutch fra:french spa:spanish por:portuguese ita:italian rus:russian swe:swedish ' +
    'nob:norwegian nno:norwegian nor:norwegian ara:arabic arb:arabic hye:armenian eus:basque cat:catalan dan:danish ' +
    'epo:esperanto est:estonian fin:finnish ell:greek hin:hindi hun:hungarian ind:indonesian gle:irish ' +
    'lit:lithuanian nep:nepali ron:romanian srp:serbian tam:tamil tur:turkish yid:yiddish'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

/** Languages without blanks between words: mteb takes their letters one by one. */
const lettered = new Set(['zho', 'cmn', 'jpn', 'kor', 'tha', 'khm', 'mya', 'bod', 'lao'])

/** Words of two or more letters, digits and underscores; Python's \w has no combining marks. */
const word = /[\p{L}\p{N}_]{2,}/gu

/**
 * The rules for texts in `languages` (`eng-Latn`): several languages, or none, count as English, as in mteb. Words of a
 * language without a stemmer stay as they are.
 */
export async function wordRules(languages: readonly string[]): Promise<WordRules> {
  const codes = new Set(languages.map((language) => language.split('-')[0] ?? ''))
  const [code = 'eng'] = codes.size === 1 ? codes : ['eng']
  // mteb puts a line break between title and text, which splits no word but is a letter
  if (lettered.has(code)) {
    const name = code === 'zho' || code === 'cmn' ? 'chinese' : ''
    return { split: letters, stopwords: await findStopwords(name), stem: (own) => own, lead: '\n' }
  }
  const name = stemmed.get(code) ?? ''
  return {
    split: (text) => text.toLowerCase().match(word) ?? [],
    stopwords: await findStopwords(name),
    stem: remembered(await findStemmer(name)),
    lead: '',
  }
}

async function findStopwords(name: string): Promise<ReadonlySet<string> | undefined> {
  const { default: file } = await import('./stopwords.json', { with: { type: 'json' } })
  const words = (file as Readonly<Record<string, string>>)[name]
  return words === undefined ? undefined : new Set(words.split(' '))
}

/** Exported for tests: the stemmer that PyStemmer calls `name`; a name of none leaves words as they are. */
export async function findStemmer(name: string): Promise<(word: string) => string> {
  const { default: file } = await import('./stemmers.json', { with: { type: 'json' } })
  const program = (file as Readonly<Record<string, string>>)[name]
  return program === undefined ? (own) => own : snowballStemmer(program)
}

function letters(text: string): string[] {
  return Array.from(text.normalize('NFKC').toLowerCase().replaceAll(' ', ''))
}

function remembered(stem: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>()
  return (own) => {
    const found = known.get(own) ?? stem(own)
    known.set(own, found)
    return found
  }
}
