/**
 * test/README.md lists the golden numbers: every file, by a script that is there and names it, with versions that the
 * file holds.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { documentAt, files, root } from './documents.ts'

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const rows = documentAt('test/README.md')
  .prose.split('\n')
  .flatMap((line) => {
    const [, path, by, versions] = /^\| `(test\/[^`]+)` \| (.+?) \| (.+?) \|$/.exec(line) ?? []
    return path === undefined
      ? []
      : [
          {
            path,
            scripts: [...(by ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
            versions: versions ?? '',
          },
        ]
  })
const inFolder = (path: string): string => path.replace(/[^/]+$/, '*.json')

test('every file has a row', () => {
  const golden = files.filter((path) => /^test\/.*\/golden\/.*\.json$/.test(path))
  const listed = new Set(rows.map(({ path }) => path))
  expect(golden.filter((path) => !listed.has(path) && !listed.has(inFolder(path)))).toEqual([])
  expect(
    rows.map(({ path }) => path).filter((path) => !golden.some((file) => path === file || path === inFolder(file))),
  ).toEqual([])
})

test.each(rows.map((row) => [row.path, row] as const))(
  '%s: its script names it, its versions are those inside',
  (path, { scripts, versions }) => {
    for (const script of scripts) expect(textOf(`oracles/${script}`)).toContain(path.replace('/*.json', ''))
    if (path.includes('*') || scripts.length === 0) return
    const head = textOf(path)
    expect(
      [...versions.matchAll(/\d+\.\d+\.\d+/g)].map(([version]) => version).filter((version) => !head.includes(version)),
    ).toEqual([])
  },
)

test('every script makes a listed file, or is used by one that does', () => {
  const scripts = files.filter((path) => /^oracles\/[^/]+\.(py|mjs)$/.test(path))
  const named = documentAt('test/README.md').text
  const used = (name: string): boolean =>
    scripts.some((path) => new RegExp(`^from ${name.replace('.py', '')} import`, 'm').test(textOf(path)))
  expect(scripts.map((path) => basename(path)).filter((name) => !named.includes(`\`${name}\``) && !used(name))).toEqual(
    [],
  )
})
