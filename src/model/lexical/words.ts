/**
 * Texts to the words that BM25 counts, as bm25s 0.3.16 splits them and mteb 2.26.24 chooses stop words, stemmer and
 * splitter by a task's language (`BM25Tokenizer`).
 */
import { fault } from '#core'
import { stemEnglish } from './english-stemmer.ts'

/** How the texts of one language become words. */
export interface WordRules {
  /** Text → words, repetitions included. */
  readonly split: (text: string) => string[]
  /** Words that are not counted; undefined: those that nearly every document has. */
  readonly stopwords: ReadonlySet<string> | undefined
  readonly stem: (word: string) => string
  /** For the key under which results are kept. */
  readonly name: string
}

const englishStopwords = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they ' +
    'this to was will with'
  ).split(' '),
)

/** Languages without blanks between words: mteb takes their letters one by one. */
const letterLanguages = new Set(['jpn', 'kor', 'tha', 'khm', 'mya', 'bod', 'lao'])

/** Snowball's stemmers for other languages, and bm25s' Chinese stop words. */
const refused: Readonly<Record<string, string>> = {
  zho: 'Chinese stop words',
  cmn: 'Chinese stop words',
  ...Object.fromEntries(
    (
      'deu:German nld:Dutch fra:French spa:Spanish por:Portuguese ita:Italian rus:Russian swe:Swedish nob:Norwegian ' +
      'nno:Norwegian nor:Norwegian ara:Arabic arb:Arabic hye:Armenian eus:Basque cat:Catalan dan:Danish ' +
      'epo:Esperanto est:Estonian fin:Finnish ell:Greek hin:Hindi hun:Hungarian ind:Indonesian gle:Irish ' +
      'lit:Lithuanian nep:Nepali ron:Romanian srp:Serbian tam:Tamil tur:Turkish yid:Yiddish'
    )
      .split(' ')
      .map((pair) => pair.split(':'))
      .map(([code = '', language = '']) => [code, `Snowball's ${language} stemmer`]),
  ),
}

/** Words of two or more letters, digits and underscores; Python's \w has no combining marks. */
const word = /[\p{L}\p{N}_]{2,}/gu

/**
 * The rules for texts in `languages` (`eng-Latn`): several languages, or none, count as English, as in mteb. Throws
 * `task.unsupported` for a language whose stemmer or stop words are not known here.
 */
export function wordRules(languages: readonly string[], place: string): WordRules {
  const codes = new Set(languages.map((language) => language.split('-')[0] ?? ''))
  const [code = 'eng'] = codes.size === 1 ? codes : ['eng']
  const lacking = refused[code]
  if (lacking !== undefined)
    throw fault('task.unsupported', {
      place,
      what: `bm25 of texts in this language needs ${lacking}, which is not available here`,
      seen: code,
      wanted: 'English, or a language that has neither stemmer nor stop words in mteb',
    })
  const plain = (text: string): string[] => text.toLowerCase().match(word) ?? []
  if (code === 'eng')
    return { name: 'english', split: plain, stopwords: englishStopwords, stem: remembered(stemEnglish) }
  if (letterLanguages.has(code)) return { name: 'letters', split: letters, stopwords: undefined, stem: (own) => own }
  return { name: 'words', split: plain, stopwords: undefined, stem: (own) => own }
}

/** A line break that mteb puts between title and text is a letter of every document, and so not counted. */
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
