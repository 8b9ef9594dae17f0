/** LiLT (Wang et al. 2022): RoBERTa with a narrow stream of places on the page; a bare text stands at the origin. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
import type { CompanionSpec } from '../spec.ts'
import { roberta, robertaSpec } from './roberta.ts'

export const lilt = {
  title: 'LiLT',
  notes:
    'as RoBERTa, with a narrow layout stream whose scores are added to the text’s; every token has the box 0, 0, 0, 0 (as transformers without bbox)',
  modelTypes: ['lilt'],
  classes: ['Lilt'],
  spec: (config) => {
    config.only('position_embedding_type', ['absolute'], 'positions of another kind are not supported')
    const spec = robertaSpec(config, { padId: 0 })
    const { pooler, sequence } = spec.heads
    return { ...spec, causal: false, companion: readCompanion(config, spec), heads: { pooler, sequence } }
  },
  prefixes: ['', 'lilt.'],
  tensors: {
    ...roberta.tensors,
    'embed.box.x': 'layout_embeddings.x_position_embeddings.weight',
    'embed.box.y': 'layout_embeddings.y_position_embeddings.weight',
    'embed.box.height': 'layout_embeddings.h_position_embeddings.weight',
    'embed.box.width': 'layout_embeddings.w_position_embeddings.weight',
    'embed.companion.project': 'layout_embeddings.box_linear_embeddings.*',
    'embed.companion.position': 'layout_embeddings.box_position_embeddings.weight',
    'embed.companion.norm': 'layout_embeddings.LayerNorm.*',
    'block.companion.q': 'encoder.layer.{i}.attention.self.layout_query.*',
    'block.companion.k': 'encoder.layer.{i}.attention.self.layout_key.*',
    'block.companion.v': 'encoder.layer.{i}.attention.self.layout_value.*',
    'block.companion.out': 'encoder.layer.{i}.attention.layout_output.dense.*',
    'block.companion.norm1': 'encoder.layer.{i}.attention.layout_output.LayerNorm.*',
    'block.companion.mlp.in': 'encoder.layer.{i}.layout_intermediate.dense.*',
    'block.companion.mlp.out': 'encoder.layer.{i}.layout_output.dense.*',
    'block.companion.norm2': 'encoder.layer.{i}.layout_output.LayerNorm.*',
  },
} as const satisfies Family

function readCompanion(
  config: ConfigReader,
  { width, attention, mlp }: { width: number; attention: { heads: number }; mlp: { width: number } },
): CompanionSpec {
  const shrink = config.int('channel_shrink_ratio', 4, { max: limits.width })
  if ((width / attention.heads) % shrink !== 0 || mlp.width % shrink !== 0)
    throw config.refuse('channel_shrink_ratio', 'does not divide the width of heads and networks')
  if (width % 6 !== 0) throw config.refuse('hidden_size', 'is not six times the width of a coordinate')
  const rows = config.int('max_2d_position_embeddings', 1024, { max: limits.vocabulary })
  const activation = config.activation('hidden_act', 'gelu')
  return { width: width / shrink, shrink, activation, boxes: { rows, width: width / 6 } }
}
