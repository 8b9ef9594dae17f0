/** A cross-encoder of MiniLM's size: the carried encoder under a seeded head of one label. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { model } from './places.ts'
import { mulberry } from './random.ts'

interface Entry {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

/** Writes the folder: the encoder's tensors by the names of a classifier, and a head whose logits spread by about 1. */
export function makeReranker(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of ['tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json', 'vocab.txt'])
    copyFileSync(join(model, name), join(folder, name))
  const config = JSON.parse(readFileSync(join(model, 'config.json'), 'utf8')) as Record<string, unknown>
  const own = { architectures: ['BertForSequenceClassification'], num_labels: 1, id2label: { 0: 'LABEL_0' } }
  // weights of 16 bits, arithmetic in 32
  const whole = { ...config, ...own, label2id: { LABEL_0: 0 }, torch_dtype: 'float32', dtype: 'float32' }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(whole, undefined, 2))
  const bytes = readFileSync(join(model, 'model.safetensors'))
  const start = 8 + Number(bytes.readBigUInt64LE(0))
  const stored = JSON.parse(bytes.subarray(8, start).toString('utf8')) as Record<string, Entry>
  const width = Number(config['hidden_size'])
  const draw = mulberry(20261128)
  const head = Float32Array.from({ length: width + 1 }, () => (draw() - 0.5) * 0.4)
  const end = bytes.length - start
  const entries = {
    __metadata__: { format: 'pt' },
    ...Object.fromEntries(
      Object.entries(stored).flatMap(([name, entry]) => (name === '__metadata__' ? [] : [[`bert.${name}`, entry]])),
    ),
    'classifier.weight': { dtype: 'F32', shape: [1, width], data_offsets: [end, end + 4 * width] },
    'classifier.bias': { dtype: 'F32', shape: [1], data_offsets: [end + 4 * width, end + 4 * width + 4] },
  }
  const json = Buffer.from(JSON.stringify(entries))
  const header = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ')
  header.writeBigUInt64LE(BigInt(header.length - 8))
  json.copy(header, 8)
  writeFileSync(
    join(folder, 'model.safetensors'),
    Buffer.concat([header, bytes.subarray(start), Buffer.from(head.buffer)]),
  )
}
