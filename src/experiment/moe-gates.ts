/** A mixture's routers: prompts through the base model, or as token embeddings, or the seed's numbers. */
import { fault, type OnProgress } from '../core/index.ts'
import { widen } from '../formats/index.ts'
import { embeddingGates, type Expert, type GateMode, type Gates, hiddenGates, type MoeOutline, type PromptVectors, randomGates } from '../merge/index.ts'
import { type Model, openModelParts } from '../model/index.ts'
import type { Tokenizer } from '../tokenizer/index.ts'
import type { ResolvedModel } from './resolved-model.ts'

export interface GateOptions {
  mode: GateMode
  seed: number
  /** Counts padding in `hidden_avg`, as mergekit-moe does: all prompts of an expert as one batch, filled up on the left with the first token. */
  padded: boolean
  signal?: AbortSignal
  onProgress?: OnProgress
}

/**
 * Rows of each layer's router, one an expert of the outline. Opens the base once more and closes it. Throws what opening and running the base throws, and
 * `tokenizer.missing`.
 */
export async function makeGates({ gated, layers, width }: MoeOutline, base: () => Promise<ResolvedModel>, options: GateOptions): Promise<Gates> {
  const { mode, seed } = options
  switch (mode) {
    case 'random':
    case 'uniform_random':
      return randomGates(mode, { layers, experts: gated.length, width, seed })
    case 'cheap_embed':
      return withModel(base, async (model) => embeddingGates(await eachExpert(gated, await embeddedPrompts(model, layers), options)))
    case 'hidden':
    case 'hidden_last':
    case 'hidden_avg':
      return withModel(base, async (model) => hiddenGates(await eachExpert(gated, await hiddenPrompts(model, layers, options), options)))
    default:
      return mode satisfies never
  }
}

type Asked = { readonly positive: readonly PromptVectors[]; readonly negative: readonly PromptVectors[] }
type ReadPrompts = (prompts: readonly string[]) => Promise<PromptVectors[]>

async function withModel<T>(base: () => Promise<ResolvedModel>, work: (model: Model) => Promise<T>): Promise<T> {
  const resolved = await base()
  // The states as they enter each layer: no final norm on them.
  const model = await openModelParts(resolved, { finalNorm: 'native' }).catch(async (error: unknown) => {
    await resolved.tensors.close()
    throw error
  })
  try {
    return await work(model)
  } finally {
    await model.close()
  }
}

async function eachExpert(experts: readonly Expert[], read: ReadPrompts, { signal, onProgress }: GateOptions): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const [i, { positive, negative }] of experts.entries()) {
    if (signal?.aborted) throw fault('run.cancelled', { place: 'routers', what: 'stopped', cause: signal.reason })
    asked.push({ positive: await read(positive), negative: await read(negative) })
    onProgress?.({ stage: 'prompts of experts', done: i + 1, total: experts.length, unit: 'queries' })
  }
  return asked
}

/** Token ids of prompts: the beginning-of-text token in front where there is one, nothing else added. */
async function idsOf(tokenizer: Tokenizer, prompts: readonly string[]): Promise<Int32Array[]> {
  const start = tokenizer.specialTokens['bos_token'] ?? ''
  const encoded = await tokenizer.encodeBatch(
    prompts.map((prompt) => start + prompt),
    { addSpecialTokens: false },
  )
  const empty = encoded.findIndex(({ ids }) => ids.length === 0)
  if (empty >= 0) throw fault('usage.value', { place: 'prompts', what: 'a prompt without a single token', seen: prompts[empty] })
  return encoded.map(({ ids }) => ids)
}

async function hiddenPrompts(model: Model, layers: number, { mode, padded }: GateOptions): Promise<ReadPrompts> {
  const tokenizer = await model.tokenizer()
  const states = Array.from({ length: layers }, (_, h) => h)
  const average = mode === 'hidden_avg'
  const run = async (rows: readonly Int32Array[]): Promise<PromptVectors[]> => {
    const cols = Math.max(...rows.map(({ length }) => length))
    const [inputIds, attentionMask] = [new Int32Array(rows.length * cols).fill(paddingOf(tokenizer)), new Int32Array(rows.length * cols)]
    rows.forEach((ids, r) => {
      inputIds.set(ids, (r + 1) * cols - ids.length)
      attentionMask.fill(1, (r + 1) * cols - ids.length, (r + 1) * cols)
    })
    const outputs = await model.tokenStates({ batch: { rows: rows.length, cols, inputIds, attentionMask }, states })
    return rows.map((_, r) =>
      states.map((h) => {
        const found = outputs.find(({ name }) => name === `hidden_states.${h}`)
        if (found === undefined) throw fault('internal', { place: model.name, what: 'the model has no such state', seen: h })
        return pooled(found.data, { row: r, cols, width: found.dims[2] ?? 0, average })
      }),
    )
  }
  return async (prompts) => {
    if (prompts.length === 0) return []
    const rows = await idsOf(tokenizer, prompts)
    if (padded && average) return run(rows)
    const read: PromptVectors[] = []
    for (const ids of rows) read.push(...(await run([ids])))
    return read
  }
}

function paddingOf({ specialTokens, tokenId }: Tokenizer): number {
  const token = specialTokens['bos_token'] ?? specialTokens['eos_token']
  return (token === undefined ? undefined : tokenId(token)) ?? 0
}

function pooled(data: Float32Array, { row, cols, width, average }: { row: number; cols: number; width: number; average: boolean }): Float64Array {
  const out = new Float64Array(width)
  const first = average ? 0 : cols - 1
  for (let token = first; token < cols; token++) {
    const at = (row * cols + token) * width
    for (let i = 0; i < width; i++) out[i] = (out[i] ?? 0) + (data[at + i] ?? 0) / (cols - first)
  }
  return out
}

/** The sum of a prompt's token embeddings, the same for every layer. */
async function embeddedPrompts(model: Model, layers: number): Promise<ReadPrompts> {
  const tokenizer = await model.tokenizer()
  const name = 'model.embed_tokens.weight'
  const info = model.tensors.info(name)
  if (info === undefined) throw fault('tensor.missing', { place: model.name, what: `no tensor ${name}` })
  const bytes = await model.tensors.read(name)
  const [rows = 0, width = 0] = info.shape
  const stride = bytes.length / rows
  return async (prompts) => {
    if (prompts.length === 0) return []
    return (await idsOf(tokenizer, prompts)).map((ids) => {
      const sum = new Float64Array(width)
      for (const id of ids) {
        if (id >= rows) throw fault('tensor.value', { place: model.name, what: 'a token beyond the embedding', seen: id, wanted: `below ${rows}` })
        const row = widen(bytes.subarray(id * stride, (id + 1) * stride), info.dtype)
        for (let i = 0; i < width; i++) sum[i] = (sum[i] ?? 0) + (row[i] ?? 0)
      }
      return Array.from({ length: layers }, () => sum)
    })
  }
}
