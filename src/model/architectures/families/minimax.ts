/** MiniMax-Text-01 (MiniMax 2025): lightning attention in most layers, experts, and norms of the stream itself. */
import { readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { layerKinds } from '../layer-types.ts'
import { noAttention } from '../recurs.ts'
import { mixtral } from './mixtral.ts'

export const minimax = {
  ...mixtral,
  title: 'MiniMax',
  notes:
    'lightning attention (linear, a fixed decay per head and layer) where layer_types says so; norms of the stream, alpha and beta factors; experts as Mixtral; all columns of a head are rotated, whatever rotary_dim says, as in the reference',
  modelTypes: ['minimax'],
  classes: ['MiniMax'],
  spec: (config) => {
    config.only('partial_rotary_factor', [1], 'is not read by the reference, which rotates whole heads')
    const decoder = mixtral.spec(config)
    const { layers, attention, mlp } = decoder
    const { heads, headWidth } = attention
    const kinds = layerKinds(config, layers, ['linear_attention', 'full_attention'], {
      derive: (layer) => (layer % 2 === 0 ? 'full_attention' : 'linear_attention'),
    })
    const factors = (name: string) => ({
      stream: config.number(`${name}_alpha_factor`, 1),
      branch: config.number(`${name}_beta_factor`, 1),
    })
    const [full, linear, second] = [factors('full_attn'), factors('linear_attn'), factors('mlp')]
    const window = readWindow(config, undefined)
    return {
      ...decoder,
      placement: 'normed-stream',
      block: (layer) =>
        kinds[layer] === 'full_attention'
          ? { window, mix: { first: full, second } }
          : {
              mix: { first: linear, second },
              attention: noAttention,
              rotary: undefined,
              scan: {
                kind: 'lightning',
                heads,
                headWidth,
                activation: mlp.activation,
                slopes: readSlopes(heads, layer, layers),
                norm: {
                  norm: { ...decoder.norm, epsilon: 1e-6 },
                  groups: 1,
                  order: 'norm-first',
                  activation: 'sigmoid',
                  weightPer: 'column',
                },
              },
            },
    }
  },
  tensors: {
    ...mixtral.tensors,
    'block.scan.in': 'layers.{i}.self_attn.qkv_proj.*',
    'block.scan.gate': 'layers.{i}.self_attn.output_gate.*',
    'block.scan.norm': 'layers.{i}.self_attn.norm.*',
    'block.scan.decay': 'layers.{i}.self_attn.slope_rate',
    'block.scan.out': 'layers.{i}.self_attn.out_proj.*',
  },
} as const satisfies Family

/** ALiBi's slopes, smaller in later layers. */
function readSlopes(heads: number, layer: number, layers: number): readonly number[] {
  const factor = 1 - layer / (layers - 1 + 1e-5) + 1e-5
  return Array.from({ length: heads }, (_, head) => 2 ** ((-8 * (head + 1)) / heads) * factor)
}
