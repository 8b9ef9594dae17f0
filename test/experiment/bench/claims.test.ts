import { expect, test } from 'vitest'
import { claims } from '../../../src/experiment/bench/claims.ts'
import type { Measured, Speed, Spread } from '../../../src/experiment/bench/speed.ts'

function row(name: string, textsPerSecond: Spread): Measured {
  const latency = { p50: 1, p95: 1, p99: 1, calls: 1 }
  return {
    name,
    model: name,
    revision: 'r',
    representation: 'default',
    fileBytes: 1,
    loadSeconds: 1,
    peakBytes: 1,
    sizes: [{ batch: 64, textsPerSecond, tokensPerSecond: null, latency }],
  }
}

const speed = (rounds: number, ...rows: Measured[]): Speed => ({
  texts: { name: 'T', count: 9 },
  rounds,
  threads: 2,
  rows,
})
const one = row('one', { median: 100, low: 90, high: 110 })

test('no difference is claimed where the rounds overlap', () => {
  const [sentence] = claims(speed(5, one, row('two', { median: 120, low: 110, high: 130 })))
  expect(sentence).toBe('At 64 texts per call, no difference between two and one can be claimed: their rounds overlap.')
})

test('nor where the slower one reaches the other in a single round', () => {
  const [sentence] = claims(speed(5, one, row('two', { median: 80, low: 70, high: 90 })))
  expect(sentence).toContain('no difference between two and one can be claimed')
})

test('a difference is claimed, with its least, whichever row is faster', () => {
  const [faster] = claims(speed(5, one, row('two', { median: 200, low: 165, high: 210 })))
  expect(faster).toBe('At 64 texts per call, two is 2.00× as fast as one (at least 1.50× between any two rounds).')
  const [slower] = claims(speed(5, one, row('two', { median: 5, low: 4, high: 6 })))
  expect(slower).toBe('At 64 texts per call, one is 20× as fast as two (at least 15× between any two rounds).')
})

test('three rounds are too few to claim a difference', () => {
  const [sentence] = claims(speed(3, one, row('two', { median: 900, low: 800, high: 1000 })))
  expect(sentence).toContain('No difference can be claimed from 3 rounds')
})

test('one model has conditions and no comparison', () => {
  expect(claims(speed(5, one))).toEqual([expect.stringContaining('with 2 threads, 9 texts (T), 5 rounds')])
})
