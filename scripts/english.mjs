// English that is not a native's: shapes counted in all prose that a person reads, each with a ceiling that only falls.
//   node scripts/english.mjs                  counts and ceilings of shapes and names; exits with 1 if one is above
//   node scripts/english.mjs --list SHAPE     file:line: sentence, for every occurrence of a shape (or of a shape of names)
//   node scripts/english.mjs --names          exported names only
//   node scripts/english.mjs --write          lowers the ceilings to what is counted, never raises one
// The style itself: CONTRIBUTING.md. Tables that scripts make are not read; their makers' words are.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countNames, names } from './exported-names.mjs'
import { filesBelow, lineAt, pageProse, sourceProse, whatAsNoun, wordCount } from './prose.mjs'

const counted = 'one|two|three|four|five|six|eight|ten|twenty|some|\\d[\\d.,]*'
const thing =
  '(?:pass|encoding|vector|file|line|row|column|number|matrix|document|result|score|draw|entry|summary|list|type|question|value|answer|request|regime|family|point|scale|byte|word|seconds?|token|cell|interval|p)(?:s|es)?|encodings|matrices|entries|summaries|families'
const measure = String.raw`(?:texts|tokens|bytes|words|rows|jobs|numbers|requests|microseconds|seconds|µs|ms|MiB|GiB|GB|GFLOP\/s)`
const unit =
  '(?:text|task|token|model|layer|row|document|job|line|second|batch|metric|core|pull|query|item|question|tensor|representation|reference|process|minute|run)'
/** "one pass a text", "a file a task", "40 bytes a token", "one a line", "once a task". */
const rate = [
  String.raw`\b(?:${counted})\s+(?:[\w-]+\s+)?(?:${thing})\s+an?\s+${unit}`,
  String.raw`\ban?\s+(?:pass|encoding|file|line|result|second)\s+an?\s+${unit}`,
  String.raw`(?<![\w-])${measure}\s+an?\s+${unit}`,
  String.raw`\b(?:one|two|three|once|twice)\s+an?\s+${unit}`,
]
  .map((form) => String.raw`${form}\b(?![-’'])`)
  .join('|')

/**
 * @typedef {{ pattern: RegExp, goal: number, instead: string }} Shape
 * @type {Record<string, Shape>}
 */
export const shapes = {
  'what-is': { pattern: whatAsNoun, goal: 3, instead: 'name the thing: "the rest", not a question used as a noun' },
  'of-first': {
    pattern: new RegExp(String.raw`(?:^|[.!?][)*”"]*\s+)Of\b(?! course)|;\s+of\b(?! course)`, 'g'),
    goal: 1,
    instead: 'open with the subject',
  },
  beside: { pattern: /\bbeside\b/gi, goal: 1, instead: 'next to, alongside, with' },
  tell: {
    pattern: /(?<!\$)\b(?:tell|tells|told|telling)\b(?!=|[^.;:,]{0,60}\b(?:apart|from)\b)/gi,
    goal: 1,
    instead: 'report, show, say',
  },
  else: { pattern: /[,;]\s+else\b/gi, goal: 1, instead: 'otherwise' },
  'go-on': { pattern: /\b(?:go|goes|went|gone)\s+on\b/gi, goal: 1, instead: 'continue' },
  'so-many': { pattern: /\bso\s+(?:many|much)\b(?!\s+(?:that|as)\b)/gi, goal: 1, instead: 'N, or "maximum number of"' },
  'there-first': {
    pattern: new RegExp(
      String.raw`(?:(?:^|[.!?][)*”"]*\s+)There|[;(]\s*there)\b(?![’']|\s+(?:is|are|was|were|be|has|have|had|may|can|must|will|would|could|should|need|needs|exists?|remains?|follows?|seems?)\b)`,
      'g',
    ),
    goal: 1,
    instead: 'name the program or the place',
  },
  'a-for-per': {
    pattern: new RegExp(rate, 'gi'),
    goal: 1,
    instead: 'per: "one pass per text"',
  },
}

/** @param {string} name @param {string} text */
export const matches = (name, text) => [...text.matchAll(shapes[name]?.pattern ?? /(?!)/g)]

const makers = ['scripts/generate.mjs', 'scripts/speed-tables.mjs']
const folders = ['docs', 'examples', 'bench', 'oracles', 'test']

/** Everything that is read: `{ path, text, pieces }`. */
function readProse(/** @type {string} */ root) {
  const isThere = (/** @type {string} */ path) => existsSync(path)
  const below = (/** @type {string} */ folder, /** @type {RegExp} */ ending) =>
    isThere(join(root, folder)) ? filesBelow(join(root, folder), ending) : []
  const sources = [...below('src', /\.ts$/), ...makers.map((path) => join(root, path)).filter(isThere)]
  const pages = [
    ...readdirSync(root).flatMap((name) => (name.endsWith('.md') ? [join(root, name)] : [])),
    ...folders.flatMap((folder) => below(folder, /\.md$/)),
  ]
  const read = (/** @type {string} */ path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, 'utf8') })
  return [
    ...sources.map(read).map(({ path, text }) => ({ path, text, pieces: sourceProse(text, path) })),
    ...pages
      .map(read)
      .filter(({ text }) => !text.startsWith('<!-- made by'))
      .map(({ path, text }) => ({ path, text, pieces: pageProse(text) })),
  ]
}

/** The sentence around a match, on one line. */
function sentenceAround(/** @type {string} */ text, /** @type {number} */ from, /** @type {number} */ to) {
  const before = text.slice(0, from).search(/[^.!?]*$/)
  const after = text.slice(to).search(/[.!?](\s|$)/)
  return text
    .slice(before, after < 0 ? undefined : to + after + 1)
    .replace(/\n[ \t]*(?:\*|\/\/)?\s*/g, ' ')
    .trim()
}

/**
 * Every occurrence of every shape.
 *
 * @param {ReturnType<typeof readProse>} files
 */
function findShapes(files) {
  return files.flatMap(({ path, text, pieces }) =>
    pieces.flatMap((piece) =>
      Object.keys(shapes).flatMap((name) =>
        matches(name, piece.text).map(({ index, 0: found }) => ({
          name,
          place: `${path}:${lineAt(text, piece.start + index)}`,
          text: sentenceAround(text.slice(piece.start, piece.start + piece.text.length), index, index + found.length),
        })),
      ),
    ),
  )
}

/** The program; its exit code. */
export function main(/** @type {string[]} */ args, /** @type {(line: string) => void} */ print = console.log) {
  const { values } = parseArgs({
    args,
    options: {
      list: { type: 'string' },
      write: { type: 'boolean', default: false },
      names: { type: 'boolean', default: false },
      root: { type: 'string', default: join(import.meta.dirname, '..') },
    },
  })
  const files = values.names ? [] : readProse(values.root)
  const found = [
    ...findShapes(files),
    ...Object.entries(countNames(values.root)).flatMap(([shape, list]) =>
      list.map(({ place, name }) => ({ name: shape, place, text: name })),
    ),
  ]
  const chosen = [...(values.names ? [] : Object.keys(shapes)), ...Object.keys(names)]
  if (values.list !== undefined) {
    if (!chosen.includes(values.list)) {
      print(`${values.list} is not a shape: ${chosen.join(', ')}`)
      return 2
    }
    for (const { place, text } of found.filter(({ name }) => name === values.list)) print(`${place}: ${text}`)
    return 0
  }
  const counts = Object.fromEntries(chosen.map((name) => [name, found.filter((one) => one.name === name).length]))
  const words = files.reduce((sum, { pieces }) => sum + wordCount(pieces), 0)
  return compare(counts, words, join(values.root, 'scripts', 'english-ceilings.json'), { write: values.write, print })
}

/**
 * Counts against ceilings, printed; 1 where one is above. `write` lowers the ceilings first.
 *
 * @param {Record<string, number>} counts
 * @param {number} words
 * @param {string} path
 * @param {{ write: boolean, print: (line: string) => void }} options
 */
function compare(counts, words, path, { write, print }) {
  /** @type {Record<string, number>} */
  const ceilings = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  if (write) {
    for (const [name, count] of Object.entries(counts)) ceilings[name] = Math.min(ceilings[name] ?? Infinity, count)
    writeFileSync(path, `${JSON.stringify(ceilings, null, 2)}\n`)
  }
  const above = Object.entries(counts).filter(([name, count]) => count > (ceilings[name] ?? Infinity))
  if (words > 0) print(`${words.toLocaleString('en')} words of prose`)
  for (const [name, count] of Object.entries(counts)) {
    const { goal } = shapes[name] ?? {}
    const rate = goal === undefined ? '' : `${((1e4 * count) / words).toFixed(1)} per 10,000 words (goal ${goal})`
    print(
      `${name.padEnd(13)}${String(count).padStart(4)}, ceiling ${String(ceilings[name] ?? '–').padEnd(4)} ${rate}`.trimEnd(),
    )
  }
  for (const [name] of above)
    print(
      `above its ceiling: ${name}. Write ${shapes[name]?.instead ?? names[name]?.instead}; node scripts/english.mjs --list ${name}`,
    )
  return above.length === 0 ? 0 : 1
}

if (process.argv[1] === import.meta.filename) process.exitCode = main(process.argv.slice(2))
