import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { drawn } from '../result/pictures/drawn.ts'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const words = ['a', 'a b', 'b b a', 'b', 'b a', 'a a b', 'b b b', 'a b b']
file('pairs.csv', ['sentence1,sentence2,score', ...words.map((text, i) => `${text},b a,${String(i)}`), ''].join('\n'))
const tasks = file(
  'tasks.yaml',
  ['One', 'Two'].map((name) => `name: ${name}\ntype: STS\ndata: { test: pairs.csv }\n`).join('---\n'),
)
beforeAll(async () => void (await writeSmallModel(path('model'))))

const asked = (...flags: readonly string[]) =>
  strata([
    'layers',
    path('model'),
    '--task-file',
    tasks,
    '--results',
    path('results'),
    '--cache-dir',
    path('cache'),
    ...flags,
  ])

test('--plot draws the scores by layer of every task, with intervals', async () => {
  const picture = path(join('made', 'layers.svg'))
  const { code, stdout, stderr } = await asked('--plot', picture)
  expect([code, stderr]).toEqual([0, expect.stringContaining(`picture written to ${picture}`)])
  expect(stdout).toMatch(/\nh0…h1 +[▁▅█]{2} +[▁▅█]{2}\n/)
  const { marks } = drawn(readFileSync(picture, 'utf8'))
  const counts = Object.fromEntries(
    ['symbol', 'rect', 'area', 'line'].map((kind) => [
      kind,
      marks.filter(({ mark, role }) => mark === kind && role === 'mark').length,
    ]),
  )
  // two tasks: two states each on a line, and the model's own
  expect(counts).toEqual({ symbol: 4, rect: 2, area: 2, line: 2 })
  expect(marks.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['model: scores by layer', 'One', 'Two', 'h0', 'h1', 'default', 'score × 100']),
  )
  // taken up from the results that are there, for another page
  const { stdout: again } = await asked('--plot', path('layers.PNG'), '--background', 'dark', '--json')
  expect(again.trim().split('\n').length).toBe(6)
  expect(readFileSync(path('layers.PNG')).subarray(1, 4).toString()).toBe('PNG')
})

test('a picture of another kind is refused before any work', async () => {
  const { code, stderr } = await asked('--plot', path('layers.pdf'), '--results', path('never'))
  expect([code, existsSync(path('never'))]).toEqual([2, false])
  expect(stderr).toContain('--plot: ')
  expect(stderr).toContain('.svg or .png')
})

test('rows and columns stand as they were asked for, whatever is there already', async () => {
  const table = async (results: string): Promise<string> => {
    const { stdout } = await asked('--results', path(results))
    return stdout.slice(0, stdout.indexOf('scores × 100'))
  }
  const fresh = await table('fresh') // default last
  expect(fresh).toMatch(/^state +One +Two\n.*\nh0 .*\nh1 .*\ndefault /)
  const before = [
    'evaluate',
    path('model'),
    '--task-file',
    tasks,
    '--results',
    path('held'),
    '--cache-dir',
    path('cache'),
  ]
  expect((await strata(before)).code).toBe(0)
  expect(await table('held')).toBe(fresh)
})
