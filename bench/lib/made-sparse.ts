/** A SPLADE model of MiniLM's size: the carried encoder under a seeded head for masked words. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encoderConfig, writeHeadedModel } from './headed-model.ts'
import { mulberry } from './random.ts'

/**
 * Writes the folder as sentence-transformers' SparseEncoder does. The bias of every word is so low that about 200 of the
 * 30,522 have a weight for a paragraph, as for trained models of this kind.
 */
export function makeSparseModel(folder: string, { bias = -4 }: { bias?: number } = {}): void {
  const config = encoderConfig()
  const [width, words] = [Number(config['hidden_size']), Number(config['vocab_size'])]
  const draw = mulberry(20261129)
  const spread = Math.sqrt(12 / width)
  const filled = (length: number, value: () => number): Float32Array => Float32Array.from({ length }, value)
  const prefix = 'cls.predictions'
  writeHeadedModel(folder, {
    config: { architectures: ['BertForMaskedLM'], tie_word_embeddings: true },
    tensors: {
      [`${prefix}.transform.dense.weight`]: {
        shape: [width, width],
        data: filled(width * width, () => (draw() - 0.5) * spread),
      },
      [`${prefix}.transform.dense.bias`]: { shape: [width], data: filled(width, () => 0) },
      [`${prefix}.transform.LayerNorm.weight`]: { shape: [width], data: filled(width, () => 1) },
      [`${prefix}.transform.LayerNorm.bias`]: { shape: [width], data: filled(width, () => 0) },
      [`${prefix}.bias`]: { shape: [words], data: filled(words, () => bias) },
    },
  })
  const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value))
  write('config_sentence_transformers.json', { model_type: 'SparseEncoder', similarity_fn_name: 'dot' })
  write('modules.json', [
    {
      idx: 0,
      name: '0',
      path: '',
      type: 'sentence_transformers.sparse_encoder.modules.mlm_transformer.MLMTransformer',
    },
    {
      idx: 1,
      name: '1',
      path: '1_SpladePooling',
      type: 'sentence_transformers.sparse_encoder.modules.splade_pooling.SpladePooling',
    },
  ])
  mkdirSync(join(folder, '1_SpladePooling'), { recursive: true })
  write('1_SpladePooling/config.json', {
    pooling_strategy: 'max',
    activation_function: 'relu',
    embedding_dimension: words,
  })
}
