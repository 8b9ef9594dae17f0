import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { mixExperts } from '../../../src/model/graph/experts.ts'
import { at, greatest, runFragment, sum, values } from './fragment.ts'
import { seeded } from './plain-forward.ts'
import type { Values } from './safetensors-source.ts'

const [rows, cols, width, inner, experts] = [2, 3, 8, 5, 4]
const config = {
  model_type: 'mixtral',
  hidden_size: width,
  intermediate_size: inner,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  num_hidden_layers: 1,
  num_local_experts: experts,
  vocab_size: 7,
}
const mask = Array.from({ length: rows }, () => Array.from({ length: cols }, () => 1))
const name = (e: number, part: string): string => `model.layers.0.block_sparse_moe.experts.${e}.${part}.weight`

function tensorsOf(router: Values): Record<string, Values> {
  const draw = seeded(3)
  const parts = Array.from({ length: experts }, (_, e) => [
    [name(e, 'w1'), values(draw, [inner, width])] as const,
    [name(e, 'w3'), values(draw, [inner, width])] as const,
    [name(e, 'w2'), values(draw, [width, inner])] as const,
  ])
  return {
    'model.embed_tokens.weight': values(draw, [7, width]),
    'model.layers.0.block_sparse_moe.gate.weight': router,
    ...Object.fromEntries(parts.flat()),
  }
}

describe('a mixture of experts', () => {
  test.each([
    { perToken: 1, router: values(seeded(1), [experts, width]) },
    { perToken: 2, router: values(seeded(1), [experts, width]) },
    { perToken: 4, router: values(seeded(1), [experts, width]) },
    // With equal likes the first ones are taken, so that half of the experts get no token at all.
    { perToken: 2, router: { shape: [experts, width], data: new Float32Array(experts * width) } },
  ])('with $perToken a token is the weighted sum of the best', async ({ perToken, router }) => {
    const spec = specOf({ ...config, num_experts_per_tok: perToken })
    const { mlp, blocks } = spec
    const [block] = blocks
    if (mlp.kind !== 'experts' || block === undefined) throw new Error('no experts')
    const tensors = tensorsOf(router)
    const x = values(seeded(2), [rows, cols, width])
    const result = await runFragment(spec, tensors, { mask, rank: 3 }, (wiring) =>
      mixExperts(wiring, wiring.builder.float(x.data, x.shape), block, mlp),
    )

    const tensor = (key: string): Values => tensors[key] ?? { shape: [], data: new Float32Array() }
    const dot = (matrix: Values, row: number, vector: (i: number) => number, count: number): number =>
      sum(count, (i) => at(matrix, row, i) * vector(i))
    const silu = (value: number): number => value / (1 + Math.exp(-value))
    const wanted = (b: number, s: number, w: number): number => {
      const input = (i: number): number => at(x, b, s, i)
      const likes = Array.from({ length: experts }, (_, e) => Math.exp(dot(router, e, input, width)))
      const best = likes.map((like, e) => ({ like, e })).toSorted((p, q) => q.like - p.like || p.e - q.e)
      const chosen = best.slice(0, perToken)
      const total = chosen.reduce((all, { like }) => all + like, 0)
      return chosen.reduce((all, { like, e }) => {
        const hidden = (f: number): number =>
          silu(dot(tensor(name(e, 'w1')), f, input, width)) * dot(tensor(name(e, 'w3')), f, input, width)
        return all + (like / total) * dot(tensor(name(e, 'w2')), w, hidden, inner)
      }, 0)
    }
    expect(result.dims).toEqual([rows, cols, width])
    // Float32 against float64 over sums of a few products below 1.
    expect(greatest(result, wanted)).toBeLessThan(1e-5)
  })

  test('without its router is refused by the name of the router, not of experts', async () => {
    const spec = specOf({ ...config, num_local_experts: 1024 })
    const { mlp, blocks } = spec
    const [block] = blocks
    if (mlp.kind !== 'experts' || block === undefined) throw new Error('no experts')
    const tensors = { 'model.embed_tokens.weight': values(seeded(1), [7, width]) }
    const made = runFragment(spec, tensors, { mask, rank: 3 }, (wiring) =>
      mixExperts(wiring, wiring.builder.float(new Float32Array(width), [1, 1, width]), block, mlp),
    )
    await expect(made).rejects.toThrow(/has no tensor model\.layers\.0\.block_sparse_moe\.gate\.weight/)
  })
})
