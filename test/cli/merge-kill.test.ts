import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { randomState } from '#platform/random'
import { openTensors } from '#files/formats'
import { makeModel, temporaryFolder } from '../model/merge/models.ts'
import { nightly } from '../nightly.ts'
import { strata } from './program.ts'

/** 45 tensors, 19 MB a model: a merge takes long enough to be killed anywhere. */
const shape = { layers: 14, width: 384, vocabulary: 4096, dtype: 'BF16' } as const
const tensors = 3 * shape.layers + 3

let root: { path: string; remove: () => Promise<void> }
let undisturbed: Map<string, string>

beforeAll(async () => {
  root = await temporaryFolder()
  for (const [k, name] of ['base', 'one', 'two'].entries()) await makeModel(at(name), { ...shape, seed: k + 1 })
  await writeFile(
    at('ties.yml'),
    `merge_method: ties\nbase_model: ${at('base')}\nmodels:\n  - {model: ${at('one')}, parameters: {weight: 0.7, density: 0.5}}\n  - {model: ${at('two')}, parameters: {weight: 0.5, density: [0.3, 0.9]}}\n`,
  )
  await merged(at('undisturbed', 'merged'))
  undisturbed = await hashesIn(at('undisturbed', 'merged'))
  return () => root.remove()
})

const at = (...parts: string[]): string => join(root.path, ...parts)
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const command = (target: string, options: readonly string[] = []): string[] => [
  'merge',
  at('ties.yml'),
  target,
  '--quiet',
  '--json',
  ...options,
]

/** What the program says of a merge that runs to its end. */
async function merged(target: string, options?: readonly string[]): Promise<{ resumed: number }> {
  const { code, stdout, stderr } = await strata(command(target, options))
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as { resumed: number }
}

/** File → SHA-256. */
async function hashesIn(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).sort()
  return new Map(
    await Promise.all(names.map(async (name) => [name, sha256(await readFile(join(folder, name)))] as const)),
  )
}

/** Tensor → SHA-256 of its bytes, whichever file it lies in. */
async function tensorsIn(folder: string): Promise<Record<string, string>> {
  const found: [string, string][] = []
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.safetensors'))) {
    const source = await openTensors(join(folder, file))
    for (const name of source.names()) found.push([name, sha256(await source.read(name))])
    await source.close()
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Names of finished tensors, from the whole lines of the journal beside the target; undefined while there is none. */
function journal(target: string): string[] | undefined {
  const path = join(`${target}.partial`, 'journal.jsonl')
  if (!existsSync(path)) return undefined
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.length === 0 ? undefined : lines.slice(1).map((line) => (JSON.parse(line) as { name: string }).name)
}

describe('a ties merge by the program', () => {
  test(
    'killed at several moments and started again, has the same files; no finished tensor is computed twice',
    { timeout: 300_000 },
    async () => {
      const draw = randomState(5)
      // two chains of five; at night four
      const enough = nightly ? 20 : 10
      let kills = 0
      for (let chain = 0; kills < enough && chain < 8; chain++) {
        const target = at(`killed-${chain}`, 'merged')
        // Five moments of one merge, each when so many tensors are finished: in the middle of what comes next.
        const moments = [...new Set(draw.randomSample(5).map((share) => Math.floor(share * (tensors - 1))))].sort(
          (a, b) => a - b,
        )
        let finished: string[] = []
        for (const moment of moments) {
          const options = ['--threads', String(1 + (kills % 2)), '--memory', kills % 3 === 0 ? '160M' : '1G']
          const { signal, stderr } = await strata(command(target, options), {
            killWhen: () => (journal(target)?.length ?? -1) >= moment,
          })
          expect(stderr).toBe('')
          // On a busy machine the end may come before the kill does.
          if (signal !== 'SIGKILL') break
          kills++
          expect(existsSync(target)).toBe(false)
          const now = journal(target) ?? []
          expect(now.slice(0, finished.length)).toEqual(finished)
          expect(new Set(now).size).toBe(now.length)
          finished = now
        }
        const resumed = existsSync(target) ? undefined : (await merged(target)).resumed
        expect([undefined, finished.length]).toContain(resumed)
        expect(await hashesIn(target)).toEqual(undisturbed)
        expect((await readdir(at(`killed-${chain}`))).sort()).toEqual(['merged'])
        await rm(at(`killed-${chain}`), { recursive: true })
      }
      expect(kills).toBeGreaterThanOrEqual(enough)
    },
  )

  test('killed when every tensor is finished, has only its hashes to do again', async () => {
    const target = at('late', 'merged')
    await strata(command(target), { killWhen: () => journal(target)?.length === tensors })
    const resumed = existsSync(target) ? undefined : (await merged(target)).resumed
    expect([undefined, tensors]).toContain(resumed)
    expect(await hashesIn(target)).toEqual(undisturbed)
  })

  test.each([
    ['--threads', '1', '--memory', '2G'],
    ['--threads', '2', '--memory', '150M'],
    ['--memory', '512M', '--threads', '3', '--out-shard-size', '0'],
  ])('%s %s: the same files', async (...options) => {
    const target = at('same', options.join(''), 'merged')
    await merged(target, options)
    expect(await hashesIn(target)).toEqual(undisturbed)
  })

  test.each(['5M', '1M', '1'])('in files of at most %s: the same tensors', async (size) => {
    const target = at(`sharded-${size}`, 'merged')
    await merged(target, ['--out-shard-size', size])
    expect((await readdir(target)).filter((name) => name.endsWith('.safetensors')).length).toBeGreaterThan(2)
    expect(await tensorsIn(target)).toEqual(await tensorsIn(at('undisturbed', 'merged')))
  })

  test('its manifest has the hash of every file it wrote and of every file it read', async () => {
    const folder = at('undisturbed', 'merged')
    const manifest = JSON.parse(await readFile(join(folder, 'strata_merge.json'), 'utf8')) as {
      files: { name: string; bytes: number; sha256: string }[]
      inputs: { model: string; files: { name: string; sha256: string }[] }[]
    }
    const own = [...undisturbed].filter(([name]) => name !== 'strata_merge.json')
    expect(Object.fromEntries(manifest.files.map(({ name, sha256 }) => [name, sha256]))).toEqual(
      Object.fromEntries(own),
    )
    for (const { model, files } of manifest.inputs)
      for (const { name, sha256: hash } of files) expect(hash).toBe(sha256(await readFile(join(model, name))))
    expect(manifest.inputs.map(({ files }) => files.length)).toEqual([1, 1, 1])
  })
})
