/**
 * Names of the program that the documents mention – functions, environment variables, recipes – are those of the
 * program.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { approximations } from '#model/transplant'
import { isMoeRecipe, parseMoeRecipe, parseRecipes } from '#model/merge'
import { mergeMethods } from '#model/merge-methods'
import { allBenchmarks } from '#task/registry'
import { commands } from '../../src/cli/commands.ts'
import { documentAt, documents, files, root } from './documents.ts'

const rules = '../../.dependency-cruiser.mjs'
const { doors } = (await import(rules)) as { doors: Record<string, readonly string[]> }
/** Names of each public door; '' is the package itself. */
const exported = new Map<string, readonly string[]>()
for (const door of ['', ...Object.keys(doors)]) {
  const path = door === '' ? '../../src/index.ts' : `../../src/doors/${door}.ts`
  exported.set(door, Object.keys((await import(path)) as Record<string, unknown>))
}
const library = new Set([...exported.values()].flat())

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const code = files
  .filter((path) => /^(src|test|scripts|bench)\/.*\.(ts|mjs|py)$/.test(path) && !path.startsWith('test/docs/'))
  .map(textOf)
const isInCode = (name: string): boolean => code.some((file) => new RegExp(`\\b${name}\\b`).test(file))
const pages = documents.map((page) => [page.path, page] as const)

describe.each(pages)('%s', (path, { code: inline, blocks, text }) => {
  test('functions and keys are there', () => {
    const called = inline.flatMap((piece) => /^(?:await )?([a-z]\w*)\(/.exec(piece)?.[1] ?? [])
    // pages of docs/api are made of comments, which may name functions of other programs
    const forUsers = path === 'README.md' || (path.startsWith('docs/') && !/^docs\/(?:recipes\/add-|api\/)/.test(path))
    expect(called.filter((name) => (forUsers ? !library.has(name) : !isInCode(name)))).toEqual([])
    expect(inline.filter((piece) => /^[a-z]+(?:[A-Z][a-z0-9]+)+$/.test(piece) && !isInCode(piece))).toEqual([])
  })

  test('what a block imports is exported', () => {
    const imported = blocks
      .flatMap(({ text: block }) => [...block.matchAll(/import \{([^}]*)\} from 'strata-lm(?:\/(\w+))?'/g)])
      .flatMap(([, list = '', door = '']) => list.split(',').map((name) => [name.trim(), door] as const))
    expect(
      imported.filter(([name, door]) => !name.startsWith('type ') && exported.get(door)?.includes(name) !== true),
    ).toEqual([])
  })

  test('environment variables are read', () => {
    const named = [...text.matchAll(/\b(?:HF|STRATA|HUGGINGFACE|TRANSFORMERS)_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.filter((name) => !code.some((file) => file.includes(name)))).toEqual([])
  })

  test("flags between backticks are some command's, or some bench's", async () => {
    const lists = await Promise.all(commands.map(async ({ loadFlags }) => loadFlags()))
    const flags = lists.flat()
    const ours = new Set([...flags.flatMap(({ flags: notation }) => notation.split(/[ ,]+/)), '--help', '--version'])
    const named = inline.flatMap((piece) => (/^--?[a-z]/.test(piece) ? [piece.split(/[ =]/)[0] ?? ''] : []))
    expect(
      named.filter(
        (flag) =>
          !ours.has(flag) && !code.some((file) => file.includes(`'${flag.slice(2)}'`) || file.includes(`'${flag}'`)),
      ),
    ).toEqual([])
  })
})

/** A block is read as a file of its own; the place is the page's. */
const recipes = documents.flatMap(({ path, blocks }) =>
  blocks.flatMap(({ language, text }) =>
    language === 'yaml' && /^(merge_method|experts):/m.test(text) ? [[path, text] as const] : [],
  ),
)

test.each(recipes)('a merge recipe of %s is read', (path, text) => {
  const recipe = isMoeRecipe(text, path) ? [parseMoeRecipe(text, path)] : parseRecipes(text, path)
  expect(recipe).toHaveLength(1)
})

describe('figures and lists in the documents', () => {
  test('are those of the tables', async () => {
    const { text: changes } = documentAt('CHANGELOG.md')
    expect(/(\d+) methods, vocabularies/.exec(changes)?.[1]).toBe(String(Object.keys(mergeMethods).length))
    const benchmarks = String((await allBenchmarks()).length)
    expect(/`, (\d+) of them\)/.exec(changes)?.[1]).toBe(benchmarks)
    expect(/mteb's (\d+) benchmarks/.exec(documentAt('README.md').text)?.[1]).toBe(benchmarks)
    const prompts = JSON.parse(textOf('src/model/checkpoint/model-prompts.json')) as { models: Record<string, unknown> }
    const models = String(Object.keys(prompts.models).length)
    expect(/to (\d+) models, instruction/.exec(changes)?.[1]).toBe(models)
    expect(/knows one \((\d+) models/.exec(documentAt('docs/prompts.md').text)?.[1]).toBe(models)
  })

  test('every way to approximate a row is in the table of docs/merges.md', () => {
    const { text } = documentAt('docs/merges.md')
    expect(Object.keys(approximations).filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })
})
