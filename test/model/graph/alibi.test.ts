import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { alibiBias, alibiSlopes } from '../../../src/model/graph/alibi.ts'
import { runFragment } from './fragment.ts'

const falcon = {
  model_type: 'falcon',
  alibi: true,
  hidden_size: 16,
  num_attention_heads: 4,
  num_hidden_layers: 1,
  vocab_size: 5,
  multi_query: false,
}

function bias(
  mask: readonly (readonly number[])[],
  rounding: 'none' | 'bfloat16',
  heads = 4,
): ReturnType<typeof runFragment> {
  const spec = specOf({ ...falcon, hidden_size: 4 * heads, num_attention_heads: heads })
  return runFragment(spec, {}, { mask, rank: 4 }, (wiring) =>
    alibiBias(wiring, { kind: 'alibi', factor: 0.5, rounding }),
  )
}

describe('slopes of linear biases', () => {
  // Press et al. 2022, §3: for 8 heads 1/2, 1/4, … 1/256.
  test('halve from 1/2 for eight heads', () => {
    expect([...alibiSlopes(8)]).toEqual(Array.from({ length: 8 }, (_, head) => 2 ** -(head + 1)))
  })

  test('of six heads are those of four, then every second one of eight', () => {
    expect([...alibiSlopes(6)]).toEqual([2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8, 2 ** -1, 2 ** -3])
  })

  test('of sixteen heads are powers of 2^-½', () => {
    // Powers of a ratio that is itself rounded to float32: sixteen roundings at most.
    for (const [head, slope] of alibiSlopes(16).entries()) expect(slope / 2 ** (-(head + 1) / 2)).toBeCloseTo(1, 5)
  })
})

describe('linear biases', () => {
  test('count unmasked tokens, whichever side is padded', async () => {
    const mask = [
      [1, 1, 1, 0, 0],
      [0, 0, 1, 1, 1],
    ]
    const { dims, data } = await bias(mask, 'none')
    expect(dims).toEqual([2, 4, 1, 5])
    const slope = 0.5 * 2 ** -2
    expect([...data.subarray(0, 5)]).toEqual([0, slope, 2 * slope, 0, 0])
    expect([...data.subarray(20, 25)]).toEqual([0, 0, 0, slope, 2 * slope])
  })

  test('in bfloat16 round positions to eight bits, ties to even, and products again', async () => {
    const { data } = await bias([Array.from({ length: 262 }, () => 1)], 'bfloat16')
    const slope = 0.5 * 2 ** -2
    expect([255, 256, 257, 258, 259, 261].map((position) => (data[position] ?? 0) / slope)).toEqual([
      255, 256, 256, 258, 260, 260,
    ])
  })
})
