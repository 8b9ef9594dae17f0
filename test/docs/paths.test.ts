/** Files and folders of the repository that documents, comments and scripts name are there. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { documents, files, root } from './documents.ts'

const folders = new Set(
  files.flatMap((path) => path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
)
const names = new Set(files.map((path) => basename(path)))
const tops = 'src|test|docs|bench|scripts|examples|assets'

/** Lines of layer aggregation, which Strata answers. */
const otherPrograms = /^scripts\/run_(?:mteb_eval|full_pipeline|aggregation_experiments|grid_search)\.py$/

/** `*`, `<room>`, `$v` and `…` stand for anything. */
function exists(path: string): boolean {
  const plain = path.replace(/[/.,:]+$/, '')
  if (files.includes(plain) || folders.has(plain) || otherPrograms.test(plain)) return true
  if (!/[*<$…]/.test(plain)) return false
  const pattern = new RegExp(
    `^${plain.replace(/[.+()[\]]/g, String.raw`\$&`).replace(/\*+|<[^>]*>|\$\w|…/g, '[^/]*')}$`,
  )
  return [...files, ...folders].some((file) => pattern.test(file))
}

/**
 * Paths from the root: one word, or pieces as join() and pathlib take them, or built. In quotes, `test/…` may be a data
 * set's split and `bench/…` a name.
 */
function pathsIn(text: string): string[] {
  const whole = [
    ...text.matchAll(
      new RegExp(
        `(?<![\\w./@{}$\\\\-])(?:\\./)?((?:(?<!['"])(?:test|bench)|src|docs|scripts|examples|assets)/[\\w./*<>$…-]*)`,
        'g',
      ),
    ),
  ].map(([, path = '']) => path)
  const pieces = [
    ...text.matchAll(
      new RegExp(`(?:'\\.\\.', |root, |parents\\[2\\] / )(['"])((?:${tops})\\1(?:(?:, | / )\\1[\\w.-]+\\1)*)`, 'g'),
    ),
  ].map(([, quote = '', path = '']) => path.replaceAll(quote, '').replaceAll(/, | \/ /g, '/'))
  const built = [...text.matchAll(/\bdist\/([\w./-]+)\.js\b/g)].map(([, path = '']) => `src/${path}.ts`)
  // `$` ends what a template literal begins
  return [...whole, ...pieces, ...built].filter((path) => !path.startsWith('bench/.scratch') && !path.endsWith('$'))
}

test.each(documents.map((page) => [page.path, page] as const))('%s', (_, page) => {
  expect(pathsIn(page.text).filter((path) => !exists(path))).toEqual([])
  const short = page.code.filter((code) => /^[\w-]+\.(ts|mjs|py)$/.test(code))
  expect(short.filter((name) => !names.has(name))).toEqual([])
})

/** In code, paths stand in comments; a call may name a file that it makes. */
const code = files.filter(
  (path) => /\.(ts|mjs|py)$/.test(path) && !path.startsWith('test/docs/') && path !== 'test/suites.ts',
)

test('code names files that are there', () => {
  const strays = code.flatMap((path) =>
    pathsIn(readFileSync(join(root, path), 'utf8'))
      .filter((named) => !exists(named))
      .map((named) => `${path}: ${named}`),
  )
  expect(strays).toEqual([])
})
