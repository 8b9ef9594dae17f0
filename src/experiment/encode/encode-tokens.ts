/** Token ids, or texts token by token → hidden states, logits and pooler in one file, under the reference's names. */
import { fault, type OnProgress, type TensorSource } from '#core'
import { openTensors } from '#files/formats'
import { choosePrompt, type Model, type TokenBatch, type TokenOutput } from '#model/checkpoint'
import { writeStates, type OutputTensor } from './encode-output.ts'
import type { TextRow } from './encode-texts.ts'
import { batchOf } from '#experiment/open'

export interface EncodeTokensOptions {
  readonly out: string
  readonly states: readonly number[] | 'default'
  /** Token states; else pooled vectors. */
  readonly tokens: boolean
  readonly logits: boolean
  readonly paddingSide?: 'left' | 'right'
  readonly limit?: number
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
}

export interface EncodedTokens {
  readonly out: string
  readonly rows: number
  readonly cols: number
  readonly tensors: readonly { readonly name: string; readonly shape: readonly number[] }[]
}

/** Runs the batch in `file` (`<prefix>input_ids` …) exactly as it is given: one call, no sorting, no re-padding. */
export async function encodeIds(model: Model, file: string, options: EncodeTokensOptions & { prefix?: string }): Promise<EncodedTokens> {
  const source: TensorSource = await openTensors(file)
  try {
    const { batch } = await batchOf(source, options.prefix ?? '')
    return await encodeBatch(model, batch, options)
  } finally {
    await source.close()
  }
}

/**
 * Tokenises the texts, pads them to the longest and writes their states token by token, with `input_ids` and `attention_mask`.
 * The output is one tensor per state: texts, tokens and states must fit memory together; `--limit` or pooled output for more.
 */
export async function encodeTextTokens(model: Model, source: AsyncIterable<readonly TextRow[]>, options: EncodeTokensOptions): Promise<EncodedTokens> {
  const texts: string[] = []
  for await (const batch of source) {
    for (const { text } of batch) if (texts.length < (options.limit ?? Infinity)) texts.push(text)
    if (texts.length >= (options.limit ?? Infinity)) break
  }
  if (texts.length === 0) throw fault('table.empty', { place: options.out, what: 'no texts to encode', hint: 'the input has no rows' })
  const batch = await model.tokenise(texts, { prompt: choosePrompt(model.prompts), side: options.paddingSide ?? 'right' })
  return encodeBatch(model, batch, options)
}

async function encodeBatch(model: Model, batch: TokenBatch, { out, states, tokens, logits, signal }: EncodeTokensOptions): Promise<EncodedTokens> {
  signal?.throwIfAborted()
  const wanted = states === 'default' ? [] : states
  const outputs = await model.tokenStates(
    tokens
      ? { batch, states: wanted, lastState: true, pooler: model.hasPooler, logits }
      : { batch, states: wanted, pooled: true, embedding: states === 'default', logits },
  )
  const tensors = [
    ...outputs.map(tensorOf),
    ...(tokens ? [integers('input_ids', batch, batch.inputIds), integers('attention_mask', batch, batch.attentionMask)] : []),
  ]
  await writeStates(out, tensors)
  return { out, rows: batch.rows, cols: batch.cols, tensors: tensors.map(({ name, shape }) => ({ name, shape })) }
}

function tensorOf({ name, dims, data }: TokenOutput): OutputTensor {
  return { name, dtype: 'F32', shape: dims, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }
}

function integers(name: string, { rows, cols }: TokenBatch, values: Int32Array): OutputTensor {
  const wide = BigInt64Array.from(values, BigInt)
  return { name, dtype: 'I64', shape: [rows, cols], bytes: new Uint8Array(wide.buffer) }
}
