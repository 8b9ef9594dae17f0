/** Jamba (Lieber et al. 2024): Mamba with norms in most layers, attention without positions in the rest, experts in some. */
import { denseWhere, expertRows, readExperts, softmaxRouting } from '../experts.ts'
import { readDecoder } from '../decoder.ts'
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { noAttention } from '../recurs.ts'
import { limits } from '../sizes.ts'
import { readAutomatic, readExpanded } from '../state-space.ts'
import { bamba } from './bamba.ts'

export const jamba = {
  title: 'Jamba',
  notes:
    'Mamba with RMS norms on step sizes, on inputs and outputs of the state; attention without positions every attn_layer_period layers, experts every expert_layer_period layers, shares not normalised',
  modelTypes: ['jamba'],
  classes: ['Jamba'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 262_144, keyHeads: 8 })
    const { width, norm, mlp } = decoder
    const scan = {
      kind: 'selective',
      width: readExpanded(config, 'mamba_expand', width),
      states: config.int('mamba_d_state', 16, { max: limits.width }),
      rank: readAutomatic(config, 'mamba_dt_rank', Math.ceil(width / 16)),
      kernel: config.int('mamba_d_conv', 4, { max: 1024 }),
      kernelBias: config.flag('mamba_conv_bias', true),
      bias: config.flag('mamba_proj_bias', false),
      activation: mlp.activation,
      norm,
    } as const
    const attends = readPeriod(config, 'attn_layer', { period: 8, offset: 4 })
    const chooses = readPeriod(config, 'expert_layer', { period: 2, offset: 1 })
    const dense = { ...mlp, bias: false }
    const experts = readExperts(config, {
      activation: mlp.activation,
      routing: softmaxRouting,
      experts: [['num_experts', 'num_local_experts'], 16],
      perToken: ['num_experts_per_tok', 2],
      width: ['intermediate_size', 14_336],
    })
    const denseAt = denseWhere((layer) => experts.experts === 1 || !chooses(layer), dense)
    return {
      ...decoder,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      attention: { ...decoder.attention, bias: { qkv: false, out: false }, positions: { kind: 'none' } },
      mlp: experts,
      block: (layer) => ({ ...denseAt(layer), ...(attends(layer) ? {} : { attention: noAttention, scan }) }),
    }
  },
  prefixes: bamba.prefixes,
  tensors: {
    ...bamba.tensors,
    'block.scan.select': 'layers.{i}.mamba.x_proj.*',
    'block.scan.step': 'layers.{i}.mamba.dt_proj.*',
    'block.scan.step.norm': 'layers.{i}.mamba.dt_layernorm.*',
    'block.scan.write.norm': 'layers.{i}.mamba.b_layernorm.*',
    'block.scan.read.norm': 'layers.{i}.mamba.c_layernorm.*',
    'block.mlp.router': 'layers.{i}.feed_forward.router.*',
    ...expertRows('layers.{i}.feed_forward'),
  },
} as const satisfies Family

/** Layers whose index leaves `offset` when divided by `period`. */
function readPeriod(
  config: ConfigReader,
  stem: string,
  usual: { readonly period: number; readonly offset: number },
): (layer: number) => boolean {
  const period = config.int(`${stem}_period`, usual.period)
  const offset = config.int(`${stem}_offset`, usual.offset, { min: 0 })
  if (offset >= period) throw config.refuse(`${stem}_offset`, `is not below the period ${period}`)
  return (layer) => layer % period === offset
}
