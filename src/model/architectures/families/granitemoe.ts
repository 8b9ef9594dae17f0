/** Granite 3 with experts (Granite Team 2024), and one that every token passes. */
import type { ConfigReader } from '../config-reader.ts'
import { chosenRouting, readExperts, sharedExpert } from '../experts.ts'
import type { Family, FamilySpec } from '../family.ts'
import { limits } from '../sizes.ts'
import type { ExpertsSpec } from '../experts-spec.ts'
import { granite } from './granite.ts'

export const granitemoe = {
  title: 'Granite MoE',
  notes:
    "Granite's multipliers; softmax over the chosen logits; experts in two stacked tensors; optional shared expert; mlp_bias is not read",
  modelTypes: ['granitemoe', 'granitemoeshared'],
  classes: ['GraniteMoe', 'GraniteMoeShared'],
  spec: (config): FamilySpec => ({ ...granite.spec(config), mlp: readGraniteExperts(config) }),
  prefixes: granite.prefixes,
  tensors: {
    ...granite.tensors,
    'block.mlp.router': [
      'layers.{i}.block_sparse_moe.router.layer.weight',
      'layers.{i}.block_sparse_moe.router.weight',
    ],
    'block.mlp.stacked.in': [
      'layers.{i}.block_sparse_moe.input_linear.weight',
      'layers.{i}.block_sparse_moe.experts.gate_up_proj',
    ],
    'block.mlp.stacked.out': [
      'layers.{i}.block_sparse_moe.output_linear.weight',
      'layers.{i}.block_sparse_moe.experts.down_proj',
    ],
    'block.mlp.shared.in': 'layers.{i}.shared_mlp.input_linear.weight',
    'block.mlp.shared.out': 'layers.{i}.shared_mlp.output_linear.weight',
  },
} as const satisfies Family

/** `shared_intermediate_size` columns of a shared expert, in one matrix; none where it is 0 or left out. */
export function readGraniteExperts(config: ConfigReader, usualShared = 0): ExpertsSpec {
  const shared = config.int('shared_intermediate_size', usualShared, { min: 0, max: limits.width })
  return readExperts(config, {
    activation: config.activation('hidden_act', 'silu'),
    routing: chosenRouting,
    experts: ['num_local_experts', 8],
    perToken: ['num_experts_per_tok', 2],
    width: ['intermediate_size', 11_008],
    shared: sharedExpert(shared, { layout: 'halves' }),
  })
}
