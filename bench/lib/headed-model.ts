/** The carried encoder, of MiniLM's size, under a head of one's own. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { model } from './places.ts'

interface Entry {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

export interface Head {
  /** Fields of `config.json` in place of the encoder's. */
  readonly config: Readonly<Record<string, unknown>>
  readonly tensors: Readonly<Record<string, { readonly shape: readonly number[]; readonly data: Float32Array }>>
}

/** The encoder's configuration. */
export function encoderConfig(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(model, 'config.json'), 'utf8')) as Record<string, unknown>
}

/** Writes the folder: the encoder's tensors below `bert.`, then the head's in float32. */
export function writeHeadedModel(folder: string, { config, tensors }: Head): void {
  mkdirSync(folder, { recursive: true })
  for (const name of ['tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json', 'vocab.txt'])
    copyFileSync(join(model, name), join(folder, name))
  // weights of 16 bits, arithmetic in 32
  const whole = { ...encoderConfig(), ...config, torch_dtype: 'float32', dtype: 'float32' }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(whole, undefined, 2))
  const bytes = readFileSync(join(model, 'model.safetensors'))
  const start = 8 + Number(bytes.readBigUInt64LE(0))
  const stored = JSON.parse(bytes.subarray(8, start).toString('utf8')) as Record<string, Entry>
  let end = bytes.length - start
  const entries = {
    __metadata__: { format: 'pt' },
    ...Object.fromEntries(
      Object.entries(stored).flatMap(([name, entry]) => (name === '__metadata__' ? [] : [[`bert.${name}`, entry]])),
    ),
    ...Object.fromEntries(
      Object.entries(tensors).map(([name, { shape, data }]) => {
        const offsets = [end, (end += data.byteLength)]
        return [name, { dtype: 'F32', shape, data_offsets: offsets }]
      }),
    ),
  }
  const json = Buffer.from(JSON.stringify(entries))
  const header = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ')
  header.writeBigUInt64LE(BigInt(header.length - 8))
  json.copy(header, 8)
  const heads = Object.values(tensors).map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength))
  writeFileSync(join(folder, 'model.safetensors'), Buffer.concat([header, bytes.subarray(start), ...heads]))
}
