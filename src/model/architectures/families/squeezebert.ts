/** SqueezeBERT (Iandola et al. 2020): BERT whose matrices are grouped convolutions that see one token. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { limits } from '../sizes.ts'
import { bert } from './bert.ts'

export const squeezebert = {
  ...bert,
  title: 'SqueezeBERT',
  notes: 'as BERT, projections that mix the columns of a group alone',
  modelTypes: ['squeezebert'],
  classes: ['SqueezeBert'],
  spec: (config) => {
    const spec: FamilySpec = bert.spec(config)
    const { width } = spec
    if (config.int('embedding_size', 768, { max: limits.width }) !== width)
      throw config.refuse('embedding_size', `is not the width ${width} of the model`)
    const groups = (key: string, usual: number, inner = width): number => readGroups(config, key, usual, [width, inner])
    return {
      ...spec,
      causal: false,
      // Only the norm of the embeddings follows the config.
      norm: { ...spec.norm, epsilon: 1e-12 },
      attention: {
        ...spec.attention,
        groups: {
          q: groups('q_groups', 4),
          k: groups('k_groups', 4),
          v: groups('v_groups', 4),
          out: groups('post_attention_groups', 1),
        },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('hidden_act', 'gelu'),
        width: spec.mlp.width,
        bias: true,
        groups: {
          in: groups('intermediate_groups', 4, spec.mlp.width),
          out: groups('output_groups', 4, spec.mlp.width),
        },
      },
    }
  },
  prefixes: ['', 'transformer.'],
  tensors: {
    ...bert.tensors,
    'block.attention.q': 'encoder.layers.{i}.attention.query.*',
    'block.attention.k': 'encoder.layers.{i}.attention.key.*',
    'block.attention.v': 'encoder.layers.{i}.attention.value.*',
    'block.attention.out': 'encoder.layers.{i}.post_attention.conv1d.*',
    'block.norm1': 'encoder.layers.{i}.post_attention.layernorm.*',
    'block.mlp.in': 'encoder.layers.{i}.intermediate.conv1d.*',
    'block.mlp.out': 'encoder.layers.{i}.output.conv1d.*',
    'block.norm2': 'encoder.layers.{i}.output.layernorm.*',
  },
  linear: 'kernel',
} as const satisfies Family

function readGroups(config: ConfigReader, key: string, usual: number, widths: readonly number[]): number {
  const groups = config.int(key, usual, { max: limits.width })
  if (widths.some((width) => width % groups !== 0))
    throw config.refuse(key, `groups do not divide ${widths.join(' and ')}`)
  return groups
}
