import { beforeAll, describe, expect, test } from 'vitest'
import type { Speed } from '#experiment/bench'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const texts = file('texts.txt', 'a b\nb\na a\n')

beforeAll(async () => {
  await writeSmallModel(path('one'))
  await writeSmallModel(path('two'))
})

describe('strata bench', () => {
  test('times models and layers in turn, each in a process of its own', async () => {
    const line = ['bench', path('one'), `${path('two')}#h0`, '--texts', texts, '--batch', '1,2', '--rounds', '2']
    const { code, stdout, stderr } = await strata([...line, '--json', '--price-per-hour', '1', '--threads', '1'])
    expect([code, stderr]).toEqual([0, ''])
    const speed = JSON.parse(stdout) as Speed
    expect([speed.texts, speed.rounds, speed.threads]).toEqual([{ name: 'texts.txt', count: 3 }, 2, 1])
    expect(speed.rows.map(({ model, representation }) => [model, representation])).toEqual([
      ['one', 'default'],
      ['two', 'h0'],
    ])
    for (const { sizes, peakBytes, loadSeconds, fileBytes } of speed.rows) {
      expect(sizes.map(({ batch, latency }) => [batch, latency.calls])).toEqual([
        [1, 6],
        [2, 4],
      ])
      for (const { textsPerSecond: rate } of sizes) expect(0 < rate.low && rate.low <= rate.high).toBe(true)
      expect(Math.min(peakBytes - 10e6, loadSeconds, fileBytes)).toBeGreaterThan(0)
    }
    const table = await strata(line)
    expect(table.stdout).toContain('texts/s')
    expect(table.stdout).toContain('No difference can be claimed from 2 rounds')
  })

  test.each([
    [['bench'], 2, "missing required argument 'models'"],
    [['bench', path('none')], 1, 'none'],
    [['bench', path('one'), '--batch', '0'], 2, 'must be a whole number, 1 or greater'],
    [['bench', path('one'), '--batch', 'many'], 2, 'must be a whole number, 1 or greater'],
    [['bench', path('one'), '--batch', '1,4', '--texts', texts], 2, 'a call cannot have more texts than there are'],
    [['bench', path('one'), '--rounds', '1'], 2, 'must be a whole number, 2 or greater'],
    [['bench', path('one'), '--representation', 'h77', '--texts', texts, '--batch', '1'], 2, '77'],
    [['bench', path('one'), path('one')], 2, 'the same row is given twice'],
    [['bench', path('one'), '--column', 'text'], 2, 'has no effect without --texts'],
    [['bench', path('one'), '--bacth', '1'], 2, 'Did you mean --batch?'],
  ])('%j is refused', async (line, expected, words) => {
    const { code, stderr } = await strata(line)
    expect([code, stderr]).toEqual([expected, expect.stringContaining(words)])
  })
})
