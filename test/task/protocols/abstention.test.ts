import { describe, expect, test } from 'vitest'
import { randomState } from '#platform/random'
import { abstentionArea, ordered } from '../../../src/task/protocols/abstention.ts'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  seed: number
  n: number
  metric: number
  ties: boolean
  area: number | null
}

// mteb 2.26.24, numpy 2.4.6: oracles/abstention.py
const { cases } = goldenOf<{ cases: Case[] }>('task/protocols', 'abstention')

describe('the abstention area of queries that all score alike', () => {
  test.each(cases)('$n queries of $metric, equal confidences: $ties', ({ seed, n, metric, ties, area }) => {
    const drawn = randomState(seed).randomSample(n)
    const confidence = ties ? drawn.map((value) => Math.round(value * 10) / 10) : drawn
    // quotients of a few units in the last place: exact, or far away
    expect(abstentionArea(ordered(confidence), ordered(new Float64Array(n).fill(metric)), 'mteb-2')).toBe(area)
  })
})
