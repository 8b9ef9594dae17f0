/** Recipes are run as they stand, in a folder where the models they speak of are small made-up ones; the demo's tasks are carried. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carriedHub } from '../carried.ts'
import { strata } from '../cli/program.ts'
import { makeModel } from '../model/merge/models.ts'
import { documentAt } from './documents.ts'
import { commandLines } from './shell.ts'

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-docs-'))
  const hub = join(folder, 'hub')
  for (const [seed, name] of ['base', 'chat', 'code'].entries()) {
    const snapshot = join(hub, `models--org--${name}`, 'snapshots', `${seed}`.repeat(40))
    await makeModel(snapshot, { seed, dtype: 'BF16' })
    mkdirSync(join(hub, `models--org--${name}`, 'refs'))
    writeFileSync(join(hub, `models--org--${name}`, 'refs', 'main'), `${seed}`.repeat(40))
  }
  await makeModel(join(folder, 'tuned'), { seed: 7, dtype: 'BF16' })
  for (const name of ['datasets--mteb--sts17-crosslingual-sts', 'models--sentence-transformers--all-MiniLM-L6-v2'])
    symlinkSync(join(carriedHub['HF_HUB_CACHE'] ?? '', name), join(hub, name))
  const recipe = documentAt('docs/recipes/merging.md').blocks.find(({ language }) => language === 'yaml')?.text ?? ''
  mkdirSync(join(folder, 'recipes'))
  for (const path of ['ties.yml', 'recipes/ties.yml', 'recipes/again.yml']) writeFileSync(join(folder, path), recipe)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(page: string, chosen: RegExp): Promise<number> {
  const lines = commandLines(documentAt(page)).filter(({ whole, text }) => whole && chosen.test(text))
  for (const { words, text } of lines) {
    // what a shell makes of the pattern; a folder of its own for what is written a second time
    const args = words.flatMap((word) => (word === 'recipes/*.yml' ? ['recipes/again.yml', 'recipes/ties.yml'] : [word]))
    if (text.includes('recipes/*')) rmSync(join(folder, 'merged'), { recursive: true, force: true })
    const { code, stderr } = await strata(args, {
      cwd: folder,
      env: { HF_HUB_CACHE: join(folder, 'hub'), HF_HUB_OFFLINE: '1', STRATA_CACHE: join(folder, 'cache') },
    })
    expect([text, code, stderr]).toEqual([text, 0, expect.any(String)])
  }
  return lines.length
}

test('docs/recipes/merging.md: merges, and its manifest holds what docs/merges.md says', async () => {
  expect(await run('docs/recipes/merging.md', /^strata merge ties/)).toBe(2)
  const manifest = JSON.parse(readFileSync(join(folder, 'merged', 'strata_merge.json'), 'utf8')) as { tensors: Record<string, unknown>[] } & Record<
    string,
    unknown
  >
  const rows = documentAt('docs/merges.md').text.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)
  const described = [...rows].flatMap(([, keys = '']) => [...keys.matchAll(/`(\w+)`/g)].map(([, key]) => key))
  expect(Object.keys(manifest).filter((key) => !described.includes(key))).toEqual([])
  expect(Object.keys(manifest.tensors[0] ?? {})).toEqual(['name', 'checksum', 'statistics', 'notes'])
  expect(await run('docs/recipes/merging.md', /recipes\/\*/)).toBe(1)
})

test('docs/recipes/extract-an-adapter.md: looks and extracts', async () => {
  expect(await run('docs/recipes/extract-an-adapter.md', /^strata extract-lora/)).toBe(2)
})

test('docs/recipes/data-sets.md: shows the rows of a carried task', async () => {
  expect(await run('docs/recipes/data-sets.md', /^strata tasks/)).toBe(3)
})

test('README.md: what a checkpoint is, which tasks there are, what the cache takes', async () => {
  expect(await run('README.md', /^strata (tasks|cache)/)).toBe(2)
})
