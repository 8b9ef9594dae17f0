import { expect, test } from 'vitest'
import { nextToken } from '../../../src/model/language/sample-token.ts'

const logits = Float32Array.from([0.5, 2, 2, -1, 1])
const draws = (list: readonly number[]) => {
  let at = 0
  return () => list[at++ % list.length] ?? 0
}
const all = (options: Partial<Parameters<typeof nextToken>[1]>) =>
  new Set(
    Array.from({ length: 200 }, (_, i) =>
      nextToken(logits, { temperature: 1, topK: undefined, topP: undefined, ...options }, () => (i + 0.5) / 200),
    ),
  )

test('at temperature 0 the most probable token, of equals the first, and no draw', () => {
  const draw = (): number => {
    throw new Error('drawn')
  }
  expect(nextToken(logits, { temperature: 0, topK: 1, topP: 0.1 }, draw)).toBe(1)
})

test('top-k keeps k tokens, top-p the fewest that reach its share', () => {
  expect(all({ topK: 2 })).toEqual(new Set([1, 2]))
  // shares: .37 .37 .14 .08 .02
  expect(all({ topP: 0.5 })).toEqual(new Set([1, 2]))
  expect(all({ topP: 0.8 })).toEqual(new Set([1, 2, 4]))
  expect(all({})).toEqual(new Set([0, 1, 2, 3, 4]))
})

test('top-p stops at the token that reaches its share exactly', () => {
  // of four equal tokens two have half of the mass: transformers drops those above which there is half already
  const found = new Set(
    Array.from({ length: 40 }, (_, i) =>
      nextToken(Float32Array.of(3, 3, 3, 3), { temperature: 1, topK: undefined, topP: 0.5 }, () => (i + 0.5) / 40),
    ),
  )
  expect(found).toEqual(new Set([0, 1]))
})

test('tokens come as often as they are probable', () => {
  const counts = [0, 0, 0, 0, 0]
  const n = 20_000
  for (let i = 0; i < n; i++) {
    const id = nextToken(logits, { temperature: 0.7, topK: undefined, topP: undefined }, draws([(i + 0.5) / n]))
    counts[id] = (counts[id] ?? 0) + 1
  }
  const powers = [...logits].map((logit) => Math.exp(logit / 0.7))
  const sum = powers.reduce((total, power) => total + power, 0)
  // draws spread evenly: at most one off at each end of a token's share
  expect(counts.map((count, id) => Math.abs(count / n - (powers[id] ?? 0) / sum) <= 2 / n)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ])
})
