/** Multi-vector models of MiniLM's size: the carried encoder, as the libraries for late interaction save one. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { model } from './places.ts'
import { mulberry } from './random.ts'

/** Numbers of a token's vector, as of ColBERT's. */
const narrow = 128
const lengths = { query: 32, document: 256 } as const

/**
 * Writes one of two folders: `plain`, a MultiVectorEncoder whose tokens have all numbers of the last state, or
 * `colbert`, by pylate, with a seeded projection, markers, expansion of queries and a skip list.
 */
export function makeMultiVector(folder: string, kind: 'plain' | 'colbert'): void {
  const write = (path: string, value: unknown): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(value, undefined, 2))
  }
  const config = JSON.parse(readFileSync(join(model, 'config.json'), 'utf8')) as Record<string, unknown>
  // weights of 16 bits, arithmetic in 32
  write('config.json', { ...config, torch_dtype: 'float32', dtype: 'float32' })
  for (const name of [
    'tokenizer.json',
    'tokenizer_config.json',
    'special_tokens_map.json',
    'vocab.txt',
    'model.safetensors',
  ])
    copyFileSync(join(model, name), join(folder, name))
  write('sentence_bert_config.json', { max_seq_length: lengths.document, do_lower_case: false })
  const entries = [['sentence_transformers.models.Transformer', '']]
  if (kind === 'plain') {
    entries.push(['sentence_transformers.sentence_transformer.modules.Normalize', '1_Normalize'])
    write('1_Normalize/config.json', { module_input_name: 'token_embeddings' })
    write('config_sentence_transformers.json', { model_type: 'MultiVectorEncoder', similarity_fn_name: 'maxsim' })
  } else {
    entries.push(['pylate.models.Dense.Dense', '1_Dense'])
    writeDense(join(folder, '1_Dense'), Number(config['hidden_size']), write)
    write('config_sentence_transformers.json', {
      model_type: 'ColBERT',
      similarity_fn_name: 'MaxSim',
      query_prefix: '[unused0]',
      document_prefix: '[unused1]',
      query_length: lengths.query,
      document_length: lengths.document,
      attend_to_expansion_tokens: false,
      do_query_expansion: true,
      skiplist_words: Array.from('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'),
    })
  }
  write(
    'modules.json',
    entries.map(([type, path], idx) => ({ idx, name: String(idx), path, type })),
  )
}

function writeDense(folder: string, width: number, write: (path: string, value: unknown) => void): void {
  write('1_Dense/config.json', {
    in_features: width,
    out_features: narrow,
    bias: false,
    activation_function: 'torch.nn.modules.linear.Identity',
    use_residual: false,
  })
  const draw = mulberry(20261128)
  const weight = Float32Array.from({ length: width * narrow }, () => (draw() - 0.5) / Math.sqrt(width))
  const json = JSON.stringify({
    'linear.weight': { dtype: 'F32', shape: [narrow, width], data_offsets: [0, weight.byteLength] },
  })
  const head = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ')
  head.writeBigUInt64LE(BigInt(head.length - 8))
  head.write(json, 8)
  writeFileSync(join(folder, 'model.safetensors'), Buffer.concat([head, Buffer.from(weight.buffer)]))
}
