/**
 * Every function of the public doors has a doc comment with an example; the examples are compiled together against the
 * package as users see it, run, and print what stands behind their arrows.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { carriedHub } from '../carried.ts'
import { scratchFolder } from '../scratch.ts'
import { root } from './documents.ts'

const rules = '../../.dependency-cruiser.mjs'
const { doors } = (await import(rules)) as { doors: Record<string, readonly string[]> }

/** Functions without an example, each with its reason. The list only gets shorter. */
const without: Readonly<Record<string, string>> = { push: 'sends a folder to the hub, and the tests ask no network' }
const mostWithout = 1

interface Export {
  /** `strata-lm`, or the name of a door. */
  readonly door: string
  readonly name: string
  readonly isFunction: boolean
  /** The text of its doc comment, and the code of its example. */
  readonly text: string
  readonly example: string
}

/** `a as b` → [a, b], without types. */
function listed(list: string): (readonly [own: string, given: string])[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && !entry.startsWith('type '))
    .map((entry) => entry.split(' as ') as [string, string?])
    .map(([own, given = own]) => [own, given])
}

/** The values that an entry file lists, with what their declarations say. */
function exportsOf(door: string): Export[] {
  const path = door === 'strata-lm' ? 'src/index.ts' : `src/doors/${door}.ts`
  const lists = readFileSync(join(root, path), 'utf8').matchAll(/^export \{([^}]*)\} from '#([^']+)'/gm)
  return [...lists].flatMap(([, list = '', room = '']) =>
    listed(list).map(([own, name]) => ({ door, name, ...declared(join(root, 'src', room), own) })),
  )
}

function declared(room: string, name: string): Omit<Export, 'door' | 'name'> {
  const lists = [...readFileSync(join(room, 'index.ts'), 'utf8').matchAll(/^export \{([^}]*)\} from '\.\/([^']+)'/gm)]
  const file = lists.find(([, list = '']) => listed(list).some(([own]) => own === name))?.[2] ?? ''
  const source = readFileSync(join(room, file), 'utf8')
  const found = new RegExp(`^export (?:async )?(function\\*?|const|class) ${name}\\b(.*)`, 'm').exec(source)
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(source.slice(0, found?.index))?.[1] ?? ''
  const lines = comment.split('\n').map((line) => line.replace(/^ ?\* ?/, ''))
  const [text = '', example = ''] = lines.join('\n').split('@example')
  return {
    isFunction: found?.[1]?.startsWith('function') === true || /=>|: TimesTransposed/.test(found?.[2] ?? ''),
    text: text.trim(),
    example: /```ts\n([\s\S]*?)```/.exec(example)?.[1] ?? '',
  }
}

const all = ['strata-lm', ...Object.keys(doors)].flatMap(exportsOf)
/** A name that several doors give is one function with one example. */
const byExample = new Map(all.map((one) => [one.example, one]))
const shown = [...byExample.values()].filter(({ example }) => example !== '')

describe('every function that users import', () => {
  const functions = all.filter(({ isFunction }) => isFunction)

  test.each(functions.map((one) => [one.door, one.name, one] as const))('%s: %s is described', (_, __, { text }) => {
    expect(text).toMatch(/\w+.*\./)
  })

  test('has an example, or a reason why it has none', () => {
    const bare = [...new Set(functions.filter(({ example }) => example === '').map(({ name }) => name))]
    expect(bare).toEqual(Object.keys(without))
    expect(bare.length).toBeLessThanOrEqual(mostWithout)
  })

  test('imports itself by its door, under the name that users write', () => {
    expect(
      shown.filter(({ name, example }) =>
        [...example.matchAll(/import \{([^}]*)\} from 'strata-lm(?:\/\w+)?'/g)].every(
          ([, list = '']) => !listed(list).some(([own]) => own === name),
        ),
      ),
    ).toEqual([])
  })
})

describe('the examples', () => {
  const { path } = scratchFolder()
  let printed: Record<string, { lines: string[]; error?: string }>
  const fileOf = ({ door, name }: Export): string => `${door}-${name}`

  beforeAll(() => {
    mkdirSync(path('node_modules'))
    // the package by its name, through its exports, as it is built
    symlinkSync(root, path('node_modules/strata-lm'))
    symlinkSync(join(root, 'node_modules', '@types'), path('node_modules/@types'))
    writeFileSync(path('package.json'), JSON.stringify({ type: 'module' }))
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: Record<string, unknown>
    }
    const { paths: _, ...options } = compilerOptions
    writeFileSync(
      path('tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...options, noEmit: false, outDir: 'js', rootDir: '.' }, include: ['*.ts'] }),
    )
    for (const one of shown) {
      writeFileSync(path(`${fileOf(one)}.ts`), one.example)
      const folder = path(join('in', fileOf(one)))
      cpSync(join(import.meta.dirname, 'example-files'), folder, { recursive: true })
      symlinkSync(join(root, 'assets'), join(folder, 'assets'))
    }
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout: complaints } = spawnSync(process.execPath, [compiler, '-p', path('tsconfig.json')], {
      encoding: 'utf8',
    })
    if (complaints !== '') throw new Error(complaints)
    writeFileSync(path('js/run-all.js'), runner)
    printed = JSON.parse(
      execFileSync(process.execPath, [path('js/run-all.js'), ...shown.map(fileOf)], {
        encoding: 'utf8',
        env: { ...process.env, ...carriedHub },
        maxBuffer: 2 ** 26,
      }),
    ) as typeof printed
  }, 900_000)

  test.each(shown.map((one) => [fileOf(one), one] as const))('%s prints what it says', (file, { example }) => {
    const said = [...example.matchAll(/\/\/ → (.*)$/gm)].map(([, value = '']) => value.trim())
    expect(said.length).toBeGreaterThan(0)
    expect(printed[file]).toEqual({ lines: said })
  })
})

/** Runs the examples one after another, each in a folder of its own, and prints what each printed. */
const runner = `
import { format } from 'node:util'
const printed = {}
const log = console.log
for (const name of process.argv.slice(2)) {
  const lines = []
  console.log = (...values) => lines.push(...format(...values).split('\\n').map((line) => line.trim()))
  process.chdir(new URL('../in/' + name, import.meta.url).pathname)
  try {
    await import(new URL('./' + name + '.js', import.meta.url).href)
    printed[name] = { lines }
  } catch (error) {
    printed[name] = { lines, error: String(error.stack) }
  }
}
console.log = log
console.log(JSON.stringify(printed))
`
