import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scratchFolder } from '../scratch.ts'
import { drawn } from '../result/pictures/drawn.ts'
import { strata } from './program.ts'

const { path } = scratchFolder()
const tasks = ['a', 'b', 'c', 'd']
const rows = ['step1', 'step10', 'main'].flatMap((revision, k) =>
  [0, 1, 2].flatMap((layer) =>
    tasks.map((task, t) => ({
      family: 'P',
      size: '1m',
      revision,
      layer,
      task,
      split: 'test',
      main_score: { default: 0.1 * k + 0.05 * layer * (t + 1) - 0.02 * layer ** 2 },
    })),
  ),
)
writeFileSync(path('scores.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
const replayed = (...more: string[]) => strata(['search', '--replay', path('scores.jsonl'), ...more])

test('a replay: one line a policy, a document, a picture', async () => {
  const { code, stdout } = await replayed(
    '--policy',
    'sweep,random,halving',
    '--budget',
    '3,9',
    '--seeds',
    '5',
    '--quiet',
  )
  expect(code).toBe(0)
  expect(stdout).toMatch(/^P-1m: 9 arms, 4 tasks; best arm main h2, reward /)
  expect(stdout).toMatch(/^sweep +1 +[\d.]+ \(\d\) +0\.0000 \(1\)$/m)
  const asked = ['--policy', 'linucb,random', '--depth', '--budget', '2,9', '--seeds', '3']
  const { stdout: json } = await replayed(...asked, '--json', '--plot', path('regret.svg'))
  const report = JSON.parse(json) as {
    model: string
    arms: number
    replays: { policy: string; runs: number; points: { regret: number; best: string }[]; curve: unknown[] }[]
  }
  expect([
    report.model,
    report.arms,
    report.replays.map(({ policy, runs, curve }) => [policy, runs, curve.length]),
  ]).toEqual([
    'P-1m',
    9,
    [
      ['linucb', 1, 9],
      ['random', 3, 9],
    ],
  ])
  expect(report.replays.map(({ points }) => points.at(-1))).toMatchObject([
    { regret: 0, best: 'main h2' },
    { regret: 0, best: 'main h2' },
  ])
  expect(drawn(readFileSync(path('regret.svg'), 'utf8')).marks.map(({ text }) => text)).toContain('linucb')
})

test('flags reach what they ask for', async () => {
  const regrets = async (...more: string[]): Promise<string> => {
    const { stdout } = await replayed('--policy', 'sweep', '--budget', '4', '--json', ...more)
    const { best, replays } = JSON.parse(stdout) as { best: object; replays: { points: object[] }[] }
    return JSON.stringify([best, replays[0]?.points])
  }
  const plain = await regrets()
  const others = await Promise.all([
    regrets('--reward', 'raw'),
    regrets('--reward', 'same-layer'),
    regrets('--aggregation', 'median'),
    regrets('--aggregation', 'harmonic'),
    regrets('--clip', '0.5'),
    regrets('--floor', '10'),
    regrets('--baseline', 'step1'),
    regrets('--tasks', 'a,b'),
    regrets('--cost', 'aware', '--checkpoint-cost', '2'),
  ])
  expect(new Set([plain, ...others]).size).toBe(others.length + 1)
})

test.each([
  [['--policy', 'linucb'], /usage\.conflict.*linucb needs metrics of the arms, and no arm has any/],
  [['--policy', 'lniucb'], /usage\.value.*--policy: no such policy[^]*did you mean linucb/],
  [['--budget', '0'], /--budget: must be a whole number, 1 or greater/],
  [['--baseline', 'step2', '--policy', 'sweep'], /--baseline: no such checkpoint – step2, wanted step1, step10, main/],
  [['--tasks', 'x', '--policy', 'sweep'], /no score of x/],
  [['--plot', 'regret.gif', '--policy', 'sweep'], /--plot/],
])('refuses %j', async (flags, words) => {
  const { code, stderr } = await replayed(...flags)
  expect(code).not.toBe(0)
  expect(stderr).toMatch(words)
  expect(existsSync('regret.gif')).toBe(false)
})
