/** Qwen3-Next (Qwen Team 2025): Qwen3.5's blocks, projected key head by key head, with experts in most layers. */
import { denseWhere, readNormalized } from '../experts.ts'
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
import { readSparseStep } from './qwen2-moe.ts'
import { qwen35, qwenExpertRows, readQwenExperts, readQwenHybrid } from './qwen3-5.ts'

export const qwen3Next = {
  ...qwen35,
  title: 'Qwen3-Next',
  notes:
    'gated delta rule in three of four layers, projected key head by key head; gated attention; experts and a shared one opened by a sigmoid; dense layers by mlp_only_layers and decoder_sparse_step',
  modelTypes: ['qwen3_next'],
  classes: ['Qwen3Next'],
  spec: (config) => {
    const hybrid = readQwenHybrid(config, { layout: 'by-key-head', keyHeads: 2 })
    if (config.int('num_experts', 512, { min: 0, max: limits.experts }) === 0) return hybrid
    const denseAt = denseWhere(readSparseStep(config), hybrid.mlp)
    return {
      ...hybrid,
      mlp: readQwenExperts(config, hybrid.mlp.activation, {
        experts: 512,
        perToken: 10,
        normalized: readNormalized(config, true),
      }),
      block: (layer) => ({ ...hybrid.block(layer), ...denseAt(layer) }),
    }
  },
  tensors: {
    ...qwen35.tensors,
    ...qwenExpertRows,
    'block.scan.in': 'layers.{i}.linear_attn.in_proj_qkvz.*',
    'block.scan.select': 'layers.{i}.linear_attn.in_proj_ba.*',
  },
} as const satisfies Family
