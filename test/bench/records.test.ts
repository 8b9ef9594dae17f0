import { describe, expect, test } from 'vitest'
import { compareRecords, figuresOf, processorOf } from '../../bench/lib/records.ts'

const record = (seconds: number, { texts = 10, peer = 4 } = {}): unknown => ({
  machine: { cpu: 'made up', loadBefore: 1 },
  rounds: 3,
  programs: [
    { name: 'strata', texts, wallSeconds: seconds, tokensPerSecond: 100 / seconds, peakMiB: 200, score: 0.5 },
    { name: 'mteb', texts, wallSeconds: peer, allWallSeconds: [peer, peer] },
  ],
})

describe('figures of a record', () => {
  test('are times, rates and memory, under the words and amounts of work next to them', () => {
    expect(figuresOf(record(2))).toEqual([
      { place: 'programs strata 10 texts wallSeconds', unit: 'time', value: 2, isPeers: false },
      { place: 'programs strata 10 texts tokensPerSecond', unit: 'rate', value: 50, isPeers: false },
      { place: 'programs strata 10 texts peakMiB', unit: 'memory', value: 200, isPeers: false },
      { place: 'programs mteb 10 texts wallSeconds', unit: 'time', value: 4, isPeers: true },
    ])
  })

  test('of a table stand under the names of its first row', () => {
    const rows = [
      ['model', 'strata s', 'peer s'],
      ['a', 1, 3],
    ]
    expect(figuresOf({ rows }).map(({ place, isPeers }) => [place, isPeers])).toEqual([
      ['rows a strata s', false],
      ['rows a peer s', false],
    ])
  })
})

describe('two records', () => {
  test('give ratios above 1 where the second is slower, rates and times alike', () => {
    const found = compareRecords(record(2), record(3))
    expect(found).toMatchObject({ compared: 3, figures: 3, memory: 1, peersSlower: 1 })
    expect(found.slower).toBeCloseTo(1.5, 12)
    expect(found.worst?.ratio).toBeCloseTo(1.5, 12)
  })

  test('of other amounts of work share no figure', () => {
    expect(compareRecords(record(2), record(3, { texts: 20 }))).toMatchObject({ compared: 0, slower: undefined })
  })

  test('of another shape share no figure either', () => {
    const shaped = (fits: number): unknown => ({ shape: { fits }, programs: [{ name: 'Strata', seconds: fits }] })
    expect(compareRecords(shaped(10), shaped(70)).compared).toBe(0)
    expect(compareRecords(shaped(10), shaped(10)).compared).toBe(1)
  })

  test('show by the other programs how the machine drifted', () => {
    expect(compareRecords(record(2), record(2, { peer: 8 }))).toMatchObject({ slower: 1, peersSlower: 2 })
  })
})

test('the processor is found in the machine, in the first run and next to the figures', () => {
  const machine = { cpu: 'made up' }
  expect([{ machine }, { runs: [{ machine }] }, machine, []].map(processorOf)).toEqual([
    'made up',
    'made up',
    'made up',
    undefined,
  ])
})
