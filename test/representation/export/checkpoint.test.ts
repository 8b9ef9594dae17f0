import { expect, test } from 'vitest'
import { cutCheckpoint } from '../../../src/representation/export/checkpoint.ts'
import { bertConfig } from '../../model/architectures/small-configs.ts'
import { smallSource, type SmallTensor } from './small-source.ts'

const one: SmallTensor = { dtype: 'F32', shape: [1], values: [1] }
const sourceOf = (...names: string[]): ReturnType<typeof smallSource> =>
  smallSource(Object.fromEntries(names.map((name) => [name, one])))
const place = 'config.json'

test('blocks above the cut, and what belongs to none of the model, stay behind', () => {
  const bert = sourceOf(
    'bert.embeddings.word_embeddings.weight',
    'bert.embeddings.position_ids',
    'bert.encoder.layer.0.attention.self.query.weight',
    'bert.encoder.layer.1.attention.self.query.weight',
    'bert.encoder.layer.0.crossattention.self.query.weight',
    'bert.pooler.dense.weight',
    'classifier.weight',
    'extra.weight',
  )
  expect(cutCheckpoint(bertConfig, bert, { blocks: 1, dtype: undefined, place }).tensors.names()).toEqual([
    'bert.embeddings.word_embeddings.weight',
    'bert.encoder.layer.0.attention.self.query.weight',
    'bert.pooler.dense.weight',
    'classifier.weight',
    'extra.weight',
  ])
})

test('of an encoder and a decoder the encoder alone, with the bias that its first block holds for all', () => {
  const t5 = { model_type: 't5', d_ff: 12, d_kv: 4, d_model: 8, num_heads: 2, num_layers: 2, vocab_size: 11 }
  const bias = 'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight'
  const tensors = sourceOf(
    'shared.weight',
    bias,
    'encoder.block.1.layer.0.SelfAttention.q.weight',
    'decoder.block.0.layer.0.SelfAttention.q.weight',
    'lm_head.weight',
  )
  expect(cutCheckpoint(t5, tensors, { blocks: 1, dtype: undefined, place }).tensors.names()).toEqual([
    'shared.weight',
    bias,
  ])
})

test('layers that share weights keep what the blocks below the cut use', () => {
  const albert = { ...bertConfig, model_type: 'albert', embedding_size: 6, num_hidden_layers: 4, num_hidden_groups: 2 }
  const group = (index: number): string => `encoder.albert_layer_groups.${index}.albert_layers.0.ffn.weight`
  const cut = cutCheckpoint(albert, sourceOf(group(0), group(1)), { blocks: 2, dtype: undefined, place })
  expect([cut.tensors.names(), cut.config['num_hidden_groups']]).toEqual([[group(0)], 1])
})

test('the config says the type that the weights are stored in, under the key that it has', () => {
  const tensors = sourceOf('embeddings.word_embeddings.weight')
  const typed = (config: object): unknown =>
    cutCheckpoint({ ...bertConfig, ...config }, tensors, { blocks: 1, dtype: 'BF16', place }).config
  expect(typed({ dtype: 'float32' })).toMatchObject({ dtype: 'bfloat16' })
  expect(typed({ torch_dtype: 'float32' })).toMatchObject({ torch_dtype: 'bfloat16' })
  expect(
    cutCheckpoint({ ...bertConfig, dtype: 'float16' }, tensors, { blocks: 1, dtype: undefined, place }).config,
  ).toMatchObject({ dtype: 'float16' })
})
