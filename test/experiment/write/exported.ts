/**
 * Exported folders looked at again: vectors of a checkpoint by Strata, those of an ONNX file by ONNX Runtime as
 * everybody starts it.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { openModel, type OpenModelOptions } from '#experiment/open'
import { encode } from '#experiment/sweep'
import { folderFiles, openRepo, parseReference } from '#files/hub'
import { loadTokenizer } from '#model/tokenizer'
import { sharedPath } from '../../shared.ts'

export interface Vectors {
  readonly width: number
  readonly data: Float32Array
}

export async function vectorsOf(
  folder: string,
  texts: readonly string[],
  { representation = 'default', ...options }: OpenModelOptions & { representation?: string } = {},
): Promise<Vectors> {
  const model = await openModel(folder, options)
  try {
    return await encode(model, texts, { representation })
  } finally {
    await model.close()
  }
}

/** Each text a batch of its own, and once all together: padding must not count. */
export async function onnxVectors(
  folder: string,
  texts: readonly string[],
  maxLength: number,
): Promise<Record<'alone' | 'padded', Vectors> & { tokens: number | undefined }> {
  const tokenizer = await loadTokenizer(folderFiles(await openRepo(parseReference(folder), {}), ''))
  const rows = await tokenizer.encodeBatch(texts, { maxLength })
  const session = await InferenceSession.create(join(folder, 'onnx', 'model.onnx'), { logSeverityLevel: 3 })
  const run = async (
    batch: readonly { ids: Int32Array; typeIds: Int32Array }[],
  ): Promise<{ vectors: Vectors; tokens: number | undefined }> => {
    const cols = Math.max(1, ...batch.map(({ ids }) => ids.length))
    const padded = (valuesOf: (row: { ids: Int32Array; typeIds: Int32Array }) => ArrayLike<number>): Tensor => {
      const data = new BigInt64Array(batch.length * cols)
      batch.forEach((row, index) => data.set(Array.from(valuesOf(row), BigInt), index * cols))
      return new Tensor('int64', data, [batch.length, cols])
    }
    const feeds: Record<string, Tensor> = {
      input_ids: padded(({ ids }) => ids),
      attention_mask: padded(({ ids }) => new Int32Array(ids.length).fill(1)),
    }
    if (session.inputNames.includes('token_type_ids')) feeds['token_type_ids'] = padded(({ typeIds }) => typeIds)
    const { sentence_embedding: out, token_embeddings: states } = await session.run(feeds)
    return { vectors: { width: out?.dims[1] ?? 0, data: out?.data as Float32Array }, tokens: states?.dims[2] }
  }
  try {
    const together = await run(rows)
    const alone: Vectors = { width: together.vectors.width, data: new Float32Array(together.vectors.data.length) }
    for (const [index, row] of rows.entries()) alone.data.set((await run([row])).vectors.data, index * alone.width)
    return { alone, padded: together.vectors, tokens: together.tokens }
  } finally {
    await session.release()
  }
}

/** A pico model that reads text: a made tokenizer's first tokens, as many as the model has rows. */
export function picoWithTokenizer(name: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  for (const file of ['config.json', 'model.safetensors'])
    cpSync(sharedPath('models', 'pico', name, file), join(folder, file))
  const { vocab_size: rows } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as { vocab_size: number }
  const made = sharedPath('models', 'pico', 'sentence-transformers', 'mean-normalize', 'tokenizer.json')
  const tokenizer = JSON.parse(readFileSync(made, 'utf8')) as { model: { vocab: Record<string, number> } }
  tokenizer.model.vocab = Object.fromEntries(Object.entries(tokenizer.model.vocab).filter(([, id]) => id < rows))
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
  writeFileSync(
    join(folder, 'tokenizer_config.json'),
    JSON.stringify({ tokenizer_class: 'PreTrainedTokenizerFast', unk_token: '[UNK]', pad_token: '[PAD]' }),
  )
  return folder
}

/** The largest difference, as a share of the largest value. */
export function difference(a: Vectors, b: Vectors): number {
  if (a.width !== b.width || a.data.length !== b.data.length) return Infinity
  const largest = a.data.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-30)
  return a.data.reduce((most, value, i) => Math.max(most, Math.abs(value - (b.data[i] ?? NaN))), 0) / largest
}
