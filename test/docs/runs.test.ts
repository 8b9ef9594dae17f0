/**
 * Recipes are run as they stand, in a folder where the models they speak of are small made-up ones; the demo's tasks
 * are carried.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carriedHub } from '../carried.ts'
import { strata } from '../cli/program.ts'
import { makeModel } from '../model/merge/models.ts'
import { hasSlurm, slurm } from '../slurm.ts'
import { until } from '../until.ts'
import { documentAt } from './documents.ts'
import { commandLines } from './shell.ts'

const cluster = slurm()
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
  for (const [i, step] of ['step100', 'step200', 'step300', 'step400'].entries())
    makeCheckpoint(join(folder, 'run', step), [1, 0.5, 0.1, 1e-12][i] ?? 0)
  await makeModel(join(folder, 'tuned'), { seed: 7, dtype: 'BF16' })
  for (const name of [
    'datasets--mteb--sts17-crosslingual-sts',
    'datasets--mteb--XQuADRetrieval',
    'models--sentence-transformers--all-MiniLM-L6-v2',
  ])
    symlinkSync(join(carriedHub['HF_HUB_CACHE'] ?? '', name), join(hub, name))
  const recipe = documentAt('docs/recipes/merging.md').blocks.find(({ language }) => language === 'yaml')?.text ?? ''
  mkdirSync(join(folder, 'recipes'))
  for (const path of ['ties.yml', 'recipes/ties.yml', 'recipes/again.yml']) writeFileSync(join(folder, path), recipe)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * The first two blocks of the carried model on the first words of a text; checkpoints differ in the least variance they
 * let through.
 */
function makeCheckpoint(own: string, epsilon: number): void {
  const snapshots = join(
    carriedHub['HF_HUB_CACHE'] ?? '',
    'models--sentence-transformers--all-MiniLM-L6-v2',
    'snapshots',
  )
  const model = join(snapshots, readdirSync(snapshots)[0] ?? '')
  mkdirSync(own, { recursive: true })
  const written = ['config.json', 'sentence_bert_config.json']
  for (const name of readdirSync(model)) if (!written.includes(name)) symlinkSync(join(model, name), join(own, name))
  const config = JSON.parse(readFileSync(join(model, 'config.json'), 'utf8')) as Record<string, unknown>
  writeFileSync(join(own, 'config.json'), JSON.stringify({ ...config, num_hidden_layers: 2, layer_norm_eps: epsilon }))
  writeFileSync(join(own, 'sentence_bert_config.json'), JSON.stringify({ max_seq_length: 24, do_lower_case: false }))
}

async function run(page: string, chosen: RegExp, more: Readonly<Record<string, string>> = {}): Promise<number> {
  // of the README also what stands in its sentences
  const lines = commandLines(documentAt(page)).filter(
    ({ whole, text }) => (whole || page === 'README.md') && chosen.test(text),
  )
  for (const { words, text } of lines) {
    // what a shell makes of the pattern; a folder of its own for what is written a second time
    const args = words.flatMap((word) =>
      word === 'recipes/*.yml' ? ['recipes/again.yml', 'recipes/ties.yml'] : [word],
    )
    if (text.includes('recipes/*')) rmSync(join(folder, 'merged'), { recursive: true, force: true })
    const { code, stderr } = await strata(args, {
      cwd: folder,
      env: { HF_HUB_CACHE: join(folder, 'hub'), HF_HUB_OFFLINE: '1', STRATA_CACHE: join(folder, 'cache'), ...more },
    })
    expect([text, code, stderr]).toEqual([text, 0, expect.any(String)])
  }
  return lines.length
}

test('docs/recipes/merging.md: merges, and its manifest holds what docs/merges.md says', async () => {
  expect(await run('docs/recipes/merging.md', /^strata merge ties/)).toBe(2)
  const manifest = JSON.parse(readFileSync(join(folder, 'merged', 'strata_merge.json'), 'utf8')) as {
    tensors: Record<string, unknown>[]
  } & Record<string, unknown>
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

test('docs/recipes/best-layer.md: from the layers of one checkpoint to a page', async () => {
  expect(await run('docs/recipes/best-layer.md', /^strata /)).toBe(5)
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('Best arm found after each pull')
})

test.skipIf(!hasSlurm)('docs/recipes/cluster.md: on a real Slurm of two nodes', async () => {
  const { env, run: ask } = await cluster()
  const yaml = documentAt('docs/recipes/cluster.md').blocks.find(({ language }) => language === 'yaml')?.text ?? ''
  writeFileSync(join(folder, 'experiment.yaml'), yaml)
  expect(await run('docs/recipes/cluster.md', /^strata run/, env)).toBe(4)
  await until(() => ask('squeue', '--noheader').trim() === '', { milliseconds: 100 })
  expect(await run('docs/recipes/cluster.md', /^strata (run .* --status|report)/, env)).toBe(2)
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/ of 16 rows, \d/)
})

test('README.md: the first steps, as they are typed in a clone', async () => {
  const clone = join(folder, 'clone')
  mkdirSync(clone)
  for (const name of ['README.md', 'assets']) symlinkSync(join(import.meta.dirname, '../..', name), join(clone, name))
  const steps = documentAt('README.md').blocks.find(({ text }) => text.includes('M='))?.text ?? ''
  const model = /^M=(.*)$/m.exec(steps)?.[1] ?? ''
  const lines = [...steps.matchAll(/^(strata .*?) {2,}/gm)].map(([, line = '']) => line.replace('$M', model))
  expect(lines).toHaveLength(10)
  for (const line of lines) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].slice(1).map(([, quoted, bare]) => quoted ?? bare ?? '')
    const { code, stderr } = await strata(words, {
      cwd: clone,
      env: { ...carriedHub, STRATA_CACHE: join(folder, 'cache') },
    })
    expect([line, code, stderr]).toEqual([line, 0, expect.any(String)])
  }
  const made = ['vectors.npy', 'smaller/modules.json', 'report.html', 'results']
  expect(made.filter((name) => !existsSync(join(clone, name)))).toEqual([])
})

test('README.md: lists tasks and shows the size of the cache', async () => {
  expect(await run('README.md', /^strata (tasks|cache)/)).toBe(2)
})
