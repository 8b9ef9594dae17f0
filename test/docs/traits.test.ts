/** `scripts/traits.mjs` on a tree whose figures can be counted by hand. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../scratch.ts'
import { root } from './documents.ts'

const folder = scratchFolder().path('tree')
mkdirSync(join(folder, 'room'), { recursive: true })
const write = (path: string, ...lines: string[]): void =>
  writeFileSync(join(folder, path), lines.map((line) => `${line}\n`).join(''))

write(
  'room/index.ts',
  '/** What is left of it. */',
  "import type { B } from './b.ts'",
  "import { c } from './c.ts'",
  'export const wide = (a: number, b: number, x: number, y: number, z: number) => {',
  '  const inner = (n: any) => (n ? 1 : n === 0 ? 2 : 3)',
  '  return [a, b, x, y, z].map((n) => inner(n) + c)',
  '}',
  'export class Box {',
  '  open(): void {}',
  '}',
  `const long = '${'x'.repeat(120)}' // one`,
  "const url = 'https://example.org/no/comment' as B",
  'const fixed = [1] as const',
  'const deep = long ? ((url ? 1 : 2)) : fixed',
  'const flat = (long ? url : deep) ? 1 : 2',
)
write('room/b.ts', "import { wide } from './index.ts'", 'export type B = typeof wide')
write('room/c.ts', "import { d } from './d.ts'", 'export const c = d')
write('room/d.ts', "import { c } from '#room'", 'export const d: number = c')
write('types.d.ts', 'export declare const any: any')

const run = (...args: string[]): { status: number | null; stdout: string } =>
  spawnSync(process.execPath, [join(root, 'scripts', 'traits.mjs'), ...args], { encoding: 'utf8' })

test('figures are those of the tree', () => {
  const { stdout } = run('--json', folder)
  expect((JSON.parse(stdout) as Record<string, unknown>)[folder]).toEqual({
    files: 4,
    lines: 21,
    fileLength: { median: 2, p90: 15 },
    functions: 3,
    functionLength: { median: 1, p90: 4, p99: 4, longest: 4, name: 'wide (room/index.ts)' },
    moreThan4Parameters: 1,
    over120Columns: 1,
    nestedTernaries: 2,
    casts: 1,
    any: 1,
    commentLines: 2,
    codeLines: 20,
    importCycles: 1,
    filesInCycles: 3,
    proseWords: 6,
    whatAsNoun: 1,
  })
})

test('several trees stand side by side in a table', () => {
  const { stdout } = run(folder, join(folder, 'room'))
  expect(stdout).toContain(`| trait | ${folder} | ${join(folder, 'room')} |`)
  expect(stdout).toContain('| functions with more than 4 parameters | 1 (33.3 %) | 1 (33.3 %) |')
})

test('a folder that is none is a usage error', () => {
  expect(run(join(folder, 'nowhere')).status).toBe(2)
})
