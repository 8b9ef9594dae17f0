/** A small folder whose `default` is a weighted mix of its layers. */
import { join } from 'node:path'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'

/** `first`: the weight of its first state. */
export function writeMixed(folder: string, first = 1): Promise<string> {
  return writeSmallModel(folder, {
    'config.json': { output_hidden_states: true },
    'modules.json': ['Transformer', 'WeightedLayerPooling', 'Pooling'].map((name, idx) => ({
      idx,
      name: String(idx),
      path: idx === 0 ? '' : `${String(idx)}_${name}`,
      type: `sentence_transformers.models.${name}`,
    })),
    [join('1_WeightedLayerPooling', 'config.json')]: {
      word_embedding_dimension: 4,
      layer_start: 0,
      num_hidden_layers: 1,
    },
    [join('1_WeightedLayerPooling', 'model.safetensors')]: { layer_weights: { shape: [2], values: [first, 1] } },
    [join('2_Pooling', 'config.json')]: { word_embedding_dimension: 4, pooling_mode_mean_tokens: true },
  })
}
