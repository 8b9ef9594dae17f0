/**
 * A one-layer BERT of width 4 that reads words: `a` and `b` are sound, `nan` has a NaN in its embedding, `far` an id
 * past the embedding.
 * `more`: further files; an object is laid over the file of its name.
 */
import { counting, writeRepo } from '../../model/checkpoint/made-repo.ts'

const vocab = { '[PAD]': 0, '[UNK]': 1, '[CLS]': 2, '[SEP]': 3, a: 4, b: 5, nan: 6, far: 9 }

export async function writeSmallModel(folder: string, more: Readonly<Record<string, object>> = {}): Promise<string> {
  const words = counting(7, 4)
  const linear = (name: string, to: number, from: number) => ({
    [`${name}.weight`]: counting(to, from),
    [`${name}.bias`]: counting(to),
  })
  const norm = (name: string) => ({ [`${name}.weight`]: counting(4), [`${name}.bias`]: counting(4) })
  const layer = 'encoder.layer.0'
  const files: Readonly<Record<string, object>> = {
    'config.json': {
      architectures: ['BertModel'],
      model_type: 'bert',
      vocab_size: 7,
      hidden_size: 4,
      num_hidden_layers: 1,
      num_attention_heads: 2,
      intermediate_size: 8,
      max_position_embeddings: 16,
      type_vocab_size: 2,
      hidden_act: 'gelu',
      layer_norm_eps: 1e-12,
      pad_token_id: 0,
    },
    'tokenizer.json': {
      version: '1.0',
      added_tokens: [],
      pre_tokenizer: { type: 'Whitespace' },
      model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
    },
    'tokenizer_config.json': { tokenizer_class: 'PreTrainedTokenizerFast', pad_token: '[PAD]', unk_token: '[UNK]' },
    'model.safetensors': {
      'embeddings.word_embeddings.weight': {
        ...words,
        values: Float32Array.from(words.values, (value, i) => (i === 6 * 4 ? NaN : value)),
      },
      'embeddings.position_embeddings.weight': counting(16, 4),
      'embeddings.token_type_embeddings.weight': counting(2, 4),
      ...norm('embeddings.LayerNorm'),
      ...linear(`${layer}.attention.self.query`, 4, 4),
      ...linear(`${layer}.attention.self.key`, 4, 4),
      ...linear(`${layer}.attention.self.value`, 4, 4),
      ...linear(`${layer}.attention.output.dense`, 4, 4),
      ...norm(`${layer}.attention.output.LayerNorm`),
      ...linear(`${layer}.intermediate.dense`, 8, 4),
      ...linear(`${layer}.output.dense`, 4, 8),
      ...norm(`${layer}.output.LayerNorm`),
      ...linear('pooler.dense', 4, 4),
    },
  }
  const laid = Object.entries(more).map(([name, file]) => [
    name,
    Array.isArray(file) ? file : { ...files[name], ...file },
  ])
  await writeRepo(folder, { ...files, ...Object.fromEntries(laid) })
  return folder
}
