/** The lint of English: each shape is found where it stands, and a native's sentence is left alone. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../scratch.ts'

const [lint, prose, exported] = ['english', 'prose', 'exported-names'].map((name) => `../../scripts/${name}.mjs`)
const { main, shapes, matches } = (await import(lint ?? '')) as {
  shapes: Record<string, { goal: number }>
  main: (args: readonly string[], print: (line: string) => void) => number
  matches: (name: string, text: string) => string[]
}
const { sourceProse, pageProse } = (await import(prose ?? '')) as Record<
  'sourceProse' | 'pageProse',
  (text: string) => { kind: string; start: number; text: string }[]
>
const { exportedNames, names } = (await import(exported ?? '')) as {
  exportedNames: (text: string) => { name: string; isFunction: boolean }[]
  names: Record<string, { is: (one: { name: string; isFunction: boolean }) => boolean }>
}

const sentences: Record<string, { found: string[]; native: string[] }> = {
  'what-is': {
    found: ['Reads what is left of a file.', 'Fetches again what\n lies there.', 'What was found is kept.'],
    native: ['What is a layer?', 'It says what it does.', 'Show what each layer costs.'],
  },
  'of-first': {
    found: ['Of a task, the first split.', 'Ranks are means; of equal ones the first.', 'Sorted. Of two, the later.'],
    native: ['The first split of a task.', 'Of course it runs.', 'A list (of any length) of names.'],
  },
  beside: {
    found: ['results lie beside the others'],
    native: ['results lie next to the others', 'besides, it is fast'],
  },
  tell: {
    found: ['every mistake is told', 'the server tells no log-probabilities', 'a name that\n tells the step'],
    native: ['two layers cannot be told apart', 'tells text from bytes', 'told=1', 'retell'],
  },
  else: { found: ['the folder, else the cache', 'one of them; else none'], native: ['or else', 'everything else'] },
  'go-on': { found: ['a killed run goes on', 'it went on'], native: ['a killed run continues', 'gone, only'] },
  'so-many': { found: ['at most so many texts', 'so many words'], native: ['so many that it fails', 'many texts'] },
  'there-first': {
    found: ['There both stay as they are.', 'It is merged; there it is lost.', 'Kept. There rank 0.'],
    native: ['There is one file.', 'There may be none.', 'It is there; there are two.', 'already there'],
  },
  'a-for-per': {
    found: [
      'one pass a text',
      'some 40 bytes a token',
      'texts a second',
      'a file a task',
      'one small file a\n metric',
      'asked once a task',
    ],
    native: [
      'one pass per text',
      'one of a model',
      'gives a text a vector',
      'a document a query excludes',
      'twice as many a',
    ],
  },
}

describe.each(Object.entries(sentences))('%s', (name, { found, native }) => {
  test.each(found)('stands in "%s"', (text) => expect(matches(name, text)).toHaveLength(1))
  test.each(native)('does not stand in "%s"', (text) => expect(matches(name, text)).toEqual([]))
})

test('every shape has sentences', () => {
  expect(Object.keys(sentences)).toEqual(Object.keys(shapes))
})

describe('prose', () => {
  const source = [
    "import { a } from './no prose at all.ts'",
    '/** Shape of `the code here`.',
    ' * Goes on. */',
    "const help = 'two words', key = 'two_words', other = `of ${a ? 'an inner one' : ''} text`",
    'const pattern = /no \\/\\/ comment here/',
    '// Why this is so.',
  ].join('\n')

  test('of a source is its strings and comments, each at its place', () => {
    const pieces = sourceProse(source)
    expect(pieces.map(({ kind, text }) => `${kind}: ${text.replace(/\s+/g, ' ')}`)).toEqual([
      'string: two words',
      'string: of X text',
      'string: an inner one',
      'comment: Shape of X . * Goes on.'.replace(' *', ''),
      'comment: Why this is so.',
    ])
    for (const { start, text } of pieces) expect(source.slice(start, start + 3)).toBe(text.slice(0, 3))
  })

  test('of a page is its paragraphs, entries and cells, without code and addresses', () => {
    const page =
      '# A title\n\nOne [link](of.md)\nand `code`.\n\n```\nstrata x\n```\n\n- an entry\n\n| a | b |\n|---|---|\n| c d | e |\n'
    expect(pageProse(page).map(({ text }) => text.replace(/\s+/g, ' '))).toEqual([
      'A title',
      'One link and X .',
      'an entry',
      'a',
      'b',
      'c d',
      'e',
    ])
  })
})

test('names are those that a file declares and exports', () => {
  const text =
    'export const keptRows = 1, rowOf = () => 1\nexport function ownTask() {}\nconst told = 1\nexport const tokenOf = 3\nexport interface Knownest { a: 1 }'
  const found = Object.entries(names).map(([shape, { is }]) => [
    shape,
    exportedNames(text)
      .filter((one) => is(one))
      .map(({ name }) => name),
  ])
  expect(Object.fromEntries(found)).toEqual({ participles: ['keptRows', 'ownTask'], 'functions-of': ['rowOf'] })
})

describe('ceilings', () => {
  const folder = scratchFolder().path('tree')
  const ceilings = join(folder, 'scripts', 'english-ceilings.json')
  const run = (...args: string[]): { code: number; lines: string[] } => {
    const lines: string[] = []
    return { code: main(['--root', folder, ...args], (line) => lines.push(line)), lines }
  }
  const makeTree = (sentence: string): void => {
    for (const name of ['src', 'docs', 'scripts']) mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, 'docs', 'made.md'), '<!-- made by a script -->\nIt tells.\n')
    writeFileSync(join(folder, 'src', 'a.ts'), `/** Why. ${sentence} */\nexport const keptRow = 1\n`)
  }

  test('a count above its ceiling fails, with the shape and its place; --write lowers and never raises', () => {
    makeTree('It tells, and it tells.')
    writeFileSync(ceilings, JSON.stringify({ tell: 9, beside: 9, participles: 9 }))
    expect(run('--write').code).toBe(0)
    expect(JSON.parse(readFileSync(ceilings, 'utf8'))).toMatchObject({ tell: 2, beside: 0, participles: 1 })
    expect(run().code).toBe(0)
    expect(run('--list', 'tell').lines).toEqual(Array(2).fill('src/a.ts:1: It tells, and it tells.'))

    makeTree('It tells. It lies beside; it tells, it tells.')
    const above = run()
    expect(above.code).toBe(1)
    expect(above.lines.join()).toMatch(
      /above its ceiling: tell\b.*above its ceiling: beside|above its ceiling: beside\b.*above its ceiling: tell/,
    )
    expect(run('--write').code).toBe(1)
    expect(JSON.parse(readFileSync(ceilings, 'utf8'))).toMatchObject({ tell: 2, beside: 0 })

    makeTree('It says so.')
    expect(run('--write').code).toBe(0)
    expect(JSON.parse(readFileSync(ceilings, 'utf8'))).toMatchObject({ tell: 0, participles: 1 })
  })

  test('a shape that is none is a usage error', () => {
    makeTree('It says so.')
    expect(run('--list', 'tells').code).toBe(2)
  })
})
