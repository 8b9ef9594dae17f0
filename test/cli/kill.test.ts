import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomState } from '#platform/random'
import { carriedHub, carriedModel } from '../carried.ts'
import { strata } from './program.ts'

/** A real sweep that is short: 7 states and the default on 500 sentences. */
const sweep = (folder: string): string[] => [
  'layers',
  carriedModel,
  '--tasks',
  'STS17',
  '--subsets',
  'en-en',
  '--quiet',
  '--results',
  join(folder, 'results'),
  '--cache-dir',
  join(folder, 'cache'),
]

/** Path → content without times and dates, and when the file was last written. */
async function resultsIn(folder: string): Promise<Map<string, { text: string; written: number }>> {
  const root = join(folder, 'results')
  const found = new Map<string, { text: string; written: number }>()
  for (const name of existsSync(root) ? await readdir(root, { recursive: true }) : []) {
    if (!name.endsWith('.json') || name.includes('.tmp')) continue
    const path = join(root, name)
    const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')), (key, value: unknown) =>
      ['seconds', 'evaluation_time', 'date'].includes(key) ? undefined : value,
    )
    found.set(name, { text, written: (await stat(path)).mtimeMs })
  }
  return found
}

describe('a layer sweep', () => {
  let work: string
  let undisturbed: Map<string, { text: string }>
  let duration = 0
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'strata-kill-'))
    const started = performance.now()
    const { code, stderr } = await strata(sweep(join(work, 'whole')), { env: carriedHub })
    duration = performance.now() - started
    if (code !== 0) throw new Error(`the undisturbed run failed: ${stderr}`)
    undisturbed = await resultsIn(join(work, 'whole'))
  })
  afterAll(() => rm(work, { recursive: true, force: true }))

  test('writes a result for every state and the default', () => {
    expect([...undisturbed.keys()].filter((name) => name.endsWith('STS17.json'))).toHaveLength(8)
  })

  const random = randomState(20)
  test.each(Array.from({ length: 20 }, (_, index) => ({ index, share: random.randomSample(1)[0] ?? 0 })))(
    'killed at $share of its time and started again ends with the same files and repeats none',
    { timeout: 120_000 },
    async ({ index, share }) => {
      const folder = join(work, `killed-${index}`)
      const started = performance.now()
      await strata(sweep(folder), { env: carriedHub, killWhen: () => performance.now() - started > share * duration })
      const finished = await resultsIn(folder)
      const { code } = await strata(sweep(folder), { env: carriedHub })
      expect(code).toBe(0)
      const ended = await resultsIn(folder)
      expect(new Map([...ended].map(([name, { text }]) => [name, text]))).toEqual(
        new Map([...undisturbed].map(([name, { text }]) => [name, text])),
      )
      for (const [name, { written }] of finished)
        expect({ name, written: ended.get(name)?.written }).toEqual({ name, written })
    },
  )
})
