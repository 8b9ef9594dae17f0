/** LayoutLMv3 (Huang et al. 2022) asked with text alone: RoBERTa with places on the page and buckets of distances. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
import type { AttendedPositions, FixedRow, Slot } from '../spec.ts'
import { roberta, robertaSpec } from './roberta.ts'

export const layoutlmv3 = {
  title: 'LayoutLMv3',
  notes:
    'as RoBERTa, every token with the box 0, 0, 0, 0 and no pixels (as transformers with text alone), a bias of every head by distance',
  modelTypes: ['layoutlmv3'],
  classes: ['LayoutLMv3'],
  spec: (config) => {
    if (!config.flag('text_embed', true)) throw config.unsupported('text_embed', 'the model reads no text')
    for (const key of idle) config.has(key)
    const spec = robertaSpec(config, { epsilon: 1e-5 })
    const { width, attention, heads } = spec
    return {
      ...spec,
      causal: false,
      embedding: { ...spec.embedding, assembled: { parts: readBoxes(config, width) } },
      attention: { ...attention, positions: readBuckets(config, width / attention.heads) },
      heads: { sequence: heads.sequence },
    }
  },
  prefixes: ['', 'layoutlmv3.'],
  tensors: {
    ...roberta.tensors,
    'embed.box.x': 'embeddings.x_position_embeddings.weight',
    'embed.box.y': 'embeddings.y_position_embeddings.weight',
    'embed.box.height': 'embeddings.h_position_embeddings.weight',
    'embed.box.width': 'embeddings.w_position_embeddings.weight',
    'relative.bias': 'encoder.rel_pos_bias.weight',
  },
} as const satisfies Family

/** About pixels, of which there are none, and about boxes, which are the same for all tokens. */
const idle = (
  'has_spatial_attention_bias rel_2d_pos_bins max_rel_2d_pos visual_embed input_size num_channels patch_size ' +
  'rel_pos_bins max_rel_pos'
).split(' ')

/** Left, top, right, bottom, height, width. */
function readBoxes(config: ConfigReader, width: number): readonly (readonly [FixedRow])[] {
  const rows = config.int('max_2d_position_embeddings', 1024, { max: limits.vocabulary })
  const place = config.int('coordinate_size', 128, { max: limits.width })
  const shape = config.int('shape_size', 128, { max: limits.width })
  if (4 * place + 2 * shape !== width)
    throw config.refuse('coordinate_size', 'four places and two sizes do not fill a row', width)
  const row = (slot: Slot, columns: number): readonly [FixedRow] => [{ slot, rows, width: columns }]
  const [x, y] = [row('embed.box.x', place), row('embed.box.y', place)]
  return [x, y, x, y, row('embed.box.height', shape), row('embed.box.width', shape)]
}

function readBuckets(config: ConfigReader, headWidth: number): AttendedPositions {
  if (!config.flag('has_relative_attention_bias', true)) return { kind: 'none' }
  const buckets = config.int('rel_pos_bins', 32, { min: 4, max: 4096 })
  const maxDistance = config.int('max_rel_pos', 128, { max: limits.vocabulary })
  if (maxDistance < buckets) throw config.unsupported('max_rel_pos', `is below the ${buckets} buckets`)
  return { kind: 'buckets', buckets, maxDistance, rows: buckets, byHead: { factor: headWidth ** -0.5 } }
}
