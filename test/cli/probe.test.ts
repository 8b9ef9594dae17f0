import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryEnding } from '#platform/disk'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { sampled } from '../nightly.ts'
import { scratchFolder } from '../scratch.ts'
import { filesBelow } from '../until.ts'
import { strata } from './program.ts'

const { path } = scratchFolder()
/** Two paradigms: is `a` before `b`; are there two. */
beforeAll(async () => {
  await writeSmallModel(path('model'))
  mkdirSync(path('pairs'))
  const words = (i: number, length: number): string =>
    Array.from({ length }, (_, k) => ((i >> k) % 2 === 0 ? 'a' : 'b')).join(' ')
  const lines = (of: (i: number) => [string, string]): string =>
    Array.from({ length: 150 }, (_, i) => of(i).join('\n')).join('\n')
  writeFileSync(
    join(path('pairs'), 'order.txt'),
    lines((i) => [`b a ${words(i, 4)}`, `a b ${words(i, 4)}`]),
  )
  writeFileSync(
    join(path('pairs'), 'number.txt'),
    lines((i) => [`a ${words(i, 5)}`, `a a a ${words(i, 5)}`]),
  )
})

const probe = (folder: string, ...more: readonly string[]): string[] => [
  'probe',
  path('model'),
  '--data',
  `zorro:${path('pairs')}`,
  '--results',
  path(`${folder}/results`),
  '--cache-dir',
  path(`${folder}/cache`),
  '--quiet',
  ...more,
]

/**
 * Path → content without times; the journal is checked by itself, and what a writer killed in the middle left is
 * `strata results clean`'s.
 */
function resultsIn(folder: string): Map<string, string> {
  const root = path(`${folder}/results`)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(root, name)).isFile() && !name.includes('journal') && !name.endsWith(temporaryEnding),
  )
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(root, name), 'utf8')
      return [name, text.replaceAll(/"(seconds|evaluation_time|date)": [\d.e-]+/g, '"$1": 0')]
    }),
  )
}

function trainedIn(folder: string): string[] {
  const journal = path(`${folder}/results/probes.journal.jsonl`)
  if (!existsSync(journal)) return []
  // after the line that says what it is
  const lines = readFileSync(journal, 'utf8').split('\n').slice(1, -1)
  return lines.map((line) => (JSON.parse(line) as { key: string }).key)
}

describe('strata probe', () => {
  test('prints a row a data set and a column a layer', async () => {
    const { code, stdout } = await strata(probe('table', '--controls', 'randomization', '--mdl', '--seeds', '0'))
    expect(code).toBe(0)
    expect(stdout).toMatch(/data set +h0 +h1/)
    expect(stdout).toMatch(/zorro-number +\d+\.\d +\d+\.\d\n +minus randomization .*\n +compression +\d\.\d\d/)
    expect(stdout).toContain('8 probes trained, 0 reused')
  })

  test('prints one document with --json', async () => {
    const { code, stdout } = await strata(
      probe('json', '--seeds', '0,3', '--layers', 'last', '--only', '*-order', '--json'),
    )
    const { dataSets, trained } = JSON.parse(stdout) as {
      trained: number
      dataSets: { dataSet: { name: string }; units: { layer: number; seed: number }[] }[]
    }
    expect([code, trained]).toEqual([0, 2])
    expect(
      dataSets.map(({ dataSet: { name }, units }) => [name, units.map(({ layer, seed }) => [layer, seed])]),
    ).toEqual([
      [
        'zorro-order',
        [
          [1, 0],
          [1, 3],
        ],
      ],
    ])
  })

  test('a plan does nothing', async () => {
    const { code, stdout } = await strata(probe('dry', '--dry-run'))
    expect(code).toBe(0)
    expect(stdout).toMatch(/zorro-number +SENTENCE +2 +300 +\d+ +10 +0/)
    expect(stdout).toContain('20 probes, 0 of them trained already')
    expect(existsSync(path('dry/results'))).toBe(false)
  })

  test.each([
    [['--controls', 'permutations'], /--controls.*permutation/s],
    [['--task-types', 'sentences'], /--task-types.*SENTENCE/s],
    [['--train-portion', '2'], /--train-portion/],
    [['--seeds', '0,x'], /--seeds/],
    [['--layers', '7'], /7/],
    [['--only', 'nothing'], /no data set of this name/],
    [['--data', 'zorro'], /zorro:FOLDER/],
    [['--data', path('nowhere')], /cannot be read/],
  ])('refuses %s', async (flags, words) => {
    const { code, stderr } = await strata(probe('refused', ...flags))
    expect(code).not.toBe(0)
    expect(stderr).toMatch(words)
  })

  test(
    'killed at any of twenty moments and started again ends with the same files, and trains no probe twice',
    { timeout: 300_000 },
    async () => {
      const flags = ['--controls', 'randomization,permutation', '--threads', '2']
      const { code } = await strata(probe('whole', ...flags))
      expect(code).toBe(0)
      const wanted = trainedIn('whole').toSorted((a, b) => (a < b ? -1 : 1))
      expect(wanted).toHaveLength(60)
      const before = new Set<number>()
      for (const i of sampled(Array.from({ length: 20 }, (_, moment) => moment))) {
        const folder = `killed-${i}`
        // a few before a probe is trained, the others by how many are
        const now = (): boolean => (i < 4 ? filesBelow(path(folder)) > i : trainedIn(folder).length >= 4 * (i - 4))
        await strata(probe(folder, ...flags), { killWhen: now })
        before.add(trainedIn(folder).length)
        const again = await strata(probe(folder, ...flags))
        expect(again.code).toBe(0)
        expect(trainedIn(folder).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(wanted)
        expect(resultsIn(folder)).toEqual(resultsIn('whole'))
      }
      // some were killed in the middle
      expect([...before].some((count) => count > 0 && count < 60)).toBe(true)
    },
  )
})
