/** Token ids, or texts token by token → hidden states, logits and pooler in one file, under the reference's names. */
import { fault, type OnProgress, type TensorSource } from '#core'
import { openTensors } from '#files/formats'
import { choosePrompt, type Model, tokensOf, type TokenBatch, type TokenOutput } from '#model/checkpoint'
import { checkFinite } from './check-finite.ts'
import { tensorFormat, writeStates, type OutputTensor } from './encode-output.ts'
import type { TextRow } from './encode-texts.ts'
import { readBatch } from '#experiment/open'

export interface EncodeTokensOptions {
  readonly out: string
  readonly states: readonly number[] | 'default'
  /** Token states; otherwise pooled vectors. */
  readonly tokens: boolean
  readonly logits: boolean
  readonly paddingSide?: 'left' | 'right' | undefined
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

export interface EncodedTokens {
  readonly out: string
  readonly rows: number
  readonly cols: number
  readonly tensors: readonly { readonly name: string; readonly shape: readonly number[] }[]
}

/** Runs the batch in `file` (`<prefix>input_ids` …) exactly as given: one call, no sorting, no re-padding. */
export async function encodeIds(
  model: Model,
  file: string,
  options: EncodeTokensOptions & { prefix?: string | undefined },
): Promise<EncodedTokens> {
  await checkAsked(model, options)
  const source: TensorSource = await openTensors(file)
  try {
    const { batch } = await readBatch(source, options.prefix ?? '')
    const names = Array.from({ length: batch.rows }, (_, row) => `row ${row} of ${file}`)
    return await encodeBatch(model, batch, names, options)
  } finally {
    await source.close()
  }
}

/**
 * Tokenises the texts, pads them to the longest and writes their states token by token, with `input_ids` and
 * `attention_mask`. The output is one tensor per state: texts, tokens and states must fit in memory together; use
 * `--limit` or pooled output for more.
 */
export async function encodeTextTokens(
  model: Model,
  source: AsyncIterable<readonly TextRow[]>,
  options: EncodeTokensOptions,
): Promise<EncodedTokens> {
  await checkAsked(model, options)
  const { limit = Infinity } = options
  const [texts, names]: [string[], string[]] = [[], []]
  for await (const batch of source) {
    for (const { id, text } of batch.slice(0, limit - texts.length)) {
      texts.push(text)
      names.push(`text ${id}`)
    }
    if (texts.length >= limit) break
  }
  if (texts.length === 0)
    throw fault('table.empty', { place: options.out, what: 'no texts to encode', hint: 'the input has no rows' })
  const batch = await tokensOf(model).batch(texts, {
    prompt: choosePrompt(model.prompts),
    side: options.paddingSide ?? 'right',
  })
  return encodeBatch(model, batch, names, options)
}

/** Checks before any work. */
async function checkAsked(model: Model, { out, logits }: EncodeTokensOptions): Promise<void> {
  tensorFormat(out)
  if (!logits) return
  const { heads } = await model.facts()
  // the pooler gives a vector, as a state does
  if (heads.some((head) => head !== 'pooler')) return
  throw fault('config.unsupported', {
    place: model.name,
    what: 'the model has no head that gives logits',
    seen: heads.length === 0 ? 'no head' : `only a ${heads.join(', ')}`,
    hint: 'leave --logits out, or name a checkpoint with a head, such as …ForCausalLM or …ForSequenceClassification',
  })
}

async function encodeBatch(
  model: Model,
  batch: TokenBatch,
  names: readonly string[],
  { out, states, tokens, logits, signal }: EncodeTokensOptions,
): Promise<EncodedTokens> {
  signal?.throwIfAborted()
  const wanted = states === 'default' ? [] : states
  const of = tokensOf(model)
  // where nothing else was asked for, a model without one says why it has none
  const lastState = of.hasLastState || wanted.length === 0
  const outputs = await of.run(
    tokens
      ? { batch, states: wanted, lastState, pooler: of.hasPooler, logits }
      : { batch, states: wanted, pooled: true, embedding: states === 'default', logits },
  )
  for (const { name, data } of outputs) checkFinite(name, data, names)
  const tensors = [
    ...outputs.map(tensorOf),
    ...(tokens
      ? [integers('input_ids', batch, batch.inputIds), integers('attention_mask', batch, batch.attentionMask)]
      : []),
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
