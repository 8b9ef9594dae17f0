import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { runBlock } from '../../../src/model/graph/block.ts'
import { at, greatest, runFragment, sum, values } from './fragment.ts'
import { seeded } from './plain-forward.ts'
import type { Values } from './safetensors-source.ts'

const width = 8
const config = {
  model_type: 'bloom',
  hidden_size: width,
  n_head: 2,
  n_layer: 1,
  vocab_size: 5,
  layer_norm_epsilon: 1e-5,
}

/** A block whose attention and MLP give nothing but the biases of their last layers. */
function quietBlock(draw: () => number): Record<string, Values> {
  const none = (...shape: number[]): Values => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b, 1)) })
  const block: Record<string, Values> = {
    'input_layernorm.weight': values(draw, [width], 1),
    'input_layernorm.bias': values(draw, [width]),
    'post_attention_layernorm.weight': values(draw, [width], 1),
    'post_attention_layernorm.bias': values(draw, [width]),
    'self_attention.query_key_value.weight': none(3 * width, width),
    'self_attention.query_key_value.bias': none(3 * width),
    'self_attention.dense.weight': none(width, width),
    'self_attention.dense.bias': values(draw, [width]),
    'mlp.dense_h_to_4h.weight': none(4 * width, width),
    'mlp.dense_h_to_4h.bias': none(4 * width),
    'mlp.dense_4h_to_h.weight': none(width, 4 * width),
    'mlp.dense_4h_to_h.bias': values(draw, [width]),
  }
  const named = Object.entries(block).map(([name, tensor]) => [`transformer.h.0.${name}`, tensor] as const)
  return { 'transformer.word_embeddings.weight': values(draw, [5, width]), ...Object.fromEntries(named) }
}

describe('where the residual of BLOOM begins', () => {
  test.each([
    { after: false, title: 'before the norms: both branches are added to the input' },
    { after: true, title: 'after the norms: each branch is added to what it read' },
  ])('$title', async ({ after }) => {
    const spec = specOf({ ...config, apply_residual_connection_post_layernorm: after })
    const [block] = spec.blocks
    if (block === undefined) throw new Error('no block')
    const tensors = quietBlock(seeded(4))
    const tensor = (name: string): Values =>
      tensors[`transformer.h.0.${name}`] ?? { shape: [], data: new Float32Array() }
    const x = values(seeded(6), [1, 3, width])
    const result = await runFragment(spec, tensors, { mask: [[1, 1, 1]], rank: 3 }, (wiring) => {
      const bias = wiring.builder.float(0)
      return runBlock(
        wiring,
        {
          bias: () => bias,
          rotary: () => expect.unreachable(),
          chunks: () => expect.unreachable(),
          chosen: { bias: undefined },
          companion: { value: undefined },
          inputs: () => expect.unreachable(),
          embedded: '',
          waiting: { value: undefined },
          kept: new Map(),
        },
        wiring.builder.float(x.data, x.shape),
        block,
      )
    })

    const normed = (row: readonly number[], name: string): number[] => {
      const mean = sum(width, (w) => row[w] ?? 0) / width
      const variance = sum(width, (w) => ((row[w] ?? 0) - mean) ** 2) / width
      return row.map(
        (value, w) =>
          ((value - mean) / Math.sqrt(variance + 1e-5)) * at(tensor(`${name}.weight`), w) +
          at(tensor(`${name}.bias`), w),
      )
    }
    const added = (row: readonly number[], name: string): number[] =>
      row.map((value, w) => value + at(tensor(`${name}.bias`), w))
    const wanted = (s: number): number[] => {
      const row = Array.from({ length: width }, (_, w) => at(x, 0, s, w))
      const attended = added(after ? normed(row, 'input_layernorm') : row, 'self_attention.dense')
      return added(after ? normed(attended, 'post_attention_layernorm') : attended, 'mlp.dense_4h_to_h')
    }
    // Float32 against float64 over two norms of eight numbers near 1.
    expect(greatest(result, (_, s, w) => wanted(s)[w] ?? Number.NaN)).toBeLessThan(1e-5)
  })
})
