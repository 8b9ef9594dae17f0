import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomState } from '#platform/random'
import { carriedHub, carriedModel } from '../carried.ts'
import { scratchFolder } from '../scratch.ts'
import { sampled } from '../nightly.ts'
import { filesBelow } from '../until.ts'
import { strata } from './program.ts'

const { file } = scratchFolder()
/** Forty pairs of sentences. */
function pairs(name: string): string {
  const text = (i: number): string =>
    `${['A man', 'A girl', 'The cat', 'Nobody'][i % 4]} is ${['playing', 'eating', 'reading'][i % 3]} ${name} ${i}.`
  const lines = Array.from({ length: 40 }, (_, i) => `${text(i)},${text(7 * i + 1)},${(i * 37) % 11}`)
  file(`${name}.csv`, `first,second,rating\n${lines.join('\n')}\n`)
  return file(
    `${name}.yaml`,
    `name: ${name}\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: ${name}.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n`,
  )
}
const tasks = ['One', 'Two'].flatMap((name) => ['--task-file', pairs(name)])

/** A sweep of a real model that is short: 7 states and the default on two tasks. */
const sweep = (folder: string): string[] => [
  'layers',
  carriedModel,
  ...tasks,
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
    const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')), withoutTimes)
    found.set(name, { text, written: (await stat(path)).mtimeMs })
  }
  return found
}

/** A task that took less than a millisecond is reported as answered too fast: that notice is a time, too. */
function withoutTimes(key: string, value: unknown): unknown {
  if (['seconds', 'evaluation_time', 'date'].includes(key)) return undefined
  if (key !== 'notices' || !Array.isArray(value)) return value
  const others = value.filter((notice) => !/^answered in \d+ µs: /.test(String(notice)))
  return others.length === 0 ? undefined : others
}

describe('a layer sweep', () => {
  let work: string
  let undisturbed: Map<string, { text: string }>
  let files = 0
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'strata-kill-'))
    const { code, stderr } = await strata(sweep(join(work, 'whole')), { env: carriedHub })
    if (code !== 0) throw new Error(`the undisturbed run failed: ${stderr}`)
    undisturbed = await resultsIn(join(work, 'whole'))
    files = filesBelow(join(work, 'whole'))
  })
  afterAll(() => rm(work, { recursive: true, force: true }))

  test('writes a result for every state and the default', () => {
    expect([...undisturbed.keys()].filter((name) => /(One|Two)\.json$/.test(name))).toHaveLength(16)
  })

  const random = randomState(20)
  const moments = Array.from({ length: 20 }, (_, index) => ({ index, share: random.randomSample(1)[0] ?? 0 }))
  test.each(sampled(moments))(
    'killed when $share of its files are there and started again ends with the same files and repeats none',
    async ({ index, share }) => {
      const folder = join(work, `killed-${index}`)
      await strata(sweep(folder), { env: carriedHub, killWhen: () => filesBelow(folder) >= share * files })
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
