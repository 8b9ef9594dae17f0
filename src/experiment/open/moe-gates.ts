/** A mixture's routers: from prompts through the base model, from token embeddings, or from random numbers. */
import { fault, type OnProgress } from '#core'
import { widen } from '#files/formats'
import {
  embeddingGates,
  type Expert,
  type GateMode,
  type Gates,
  hiddenGates,
  type MoeOutline,
  type PromptVectors,
  randomGates,
} from '#model/merge'
import { tensorRoles } from '#model/architectures'
import { type Model, type ModelParts, openModelParts, stateOutput, tokensOf } from '#model/checkpoint'
import type { Tokenizer } from '#model/tokenizer'

export interface GateOptions {
  mode: GateMode
  seed: number
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

/**
 * Rows of each layer's router, one per expert of the outline. Opens the base once more and closes it. Throws what
 * opening and running the base throws, and `tokenizer.missing`.
 */
export async function makeGates(
  { gated, layers, width, config }: MoeOutline,
  base: () => Promise<ModelParts>,
  options: GateOptions,
): Promise<Gates> {
  const { mode, seed } = options
  switch (mode) {
    case 'random':
    case 'uniform_random':
      return randomGates(mode, { layers, experts: gated.length, width, seed })
    case 'cheap_embed':
      return withModel(base, async (model) =>
        embeddingGates(await eachExpert(gated, await embeddedPrompts(model, config, layers), options)),
      )
    case 'hidden':
    case 'hidden_last':
    case 'hidden_avg':
      return withModel(base, async (model) =>
        hiddenGates(await eachExpert(gated, await hiddenPrompts(model, layers, options), options)),
      )
    default:
      return mode satisfies never
  }
}

type Asked = { readonly positive: readonly PromptVectors[]; readonly negative: readonly PromptVectors[] }
type ReadPrompts = (prompts: readonly string[]) => Promise<PromptVectors[]>

async function withModel<T>(base: () => Promise<ModelParts>, work: (model: Model) => Promise<T>): Promise<T> {
  const resolved = await base()
  // The states at the input of each layer, without the final norm.
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

async function eachExpert(
  experts: readonly Expert[],
  read: ReadPrompts,
  { signal, onProgress }: GateOptions,
): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const [i, { positive, negative }] of experts.entries()) {
    if (signal?.aborted) throw fault('run.cancelled', { place: 'routers', what: 'stopped', cause: signal.reason })
    asked.push({ positive: await read(positive), negative: await read(negative) })
    onProgress?.({ stage: 'prompts of experts', done: i + 1, total: experts.length, unit: 'queries' })
  }
  return asked
}

/** Token ids of prompts: preceded by the beginning-of-text token where there is one, with nothing else added. */
async function idsOf(tokenizer: Tokenizer, prompts: readonly string[]): Promise<Int32Array[]> {
  if (prompts.length === 0) return []
  const start = tokenizer.specialTokens['bos_token'] ?? ''
  const encoded = await tokenizer.encodeBatch(
    prompts.map((prompt) => start + prompt),
    { addSpecialTokens: false },
  )
  const empty = encoded.findIndex(({ ids }) => ids.length === 0)
  if (empty >= 0)
    throw fault('usage.value', { place: 'prompts', what: 'a prompt without a single token', seen: prompts[empty] })
  return encoded.map(({ ids }) => ids)
}

/** Prompts one at a time: the result of one must not depend on the length of the others. */
async function hiddenPrompts(model: Model, layers: number, { mode }: GateOptions): Promise<ReadPrompts> {
  const tokenizer = await tokensOf(model).tokenizer()
  const states = Array.from({ length: layers }, (_, h) => h)
  const run = async (ids: Int32Array): Promise<PromptVectors> => {
    const batch = { rows: 1, cols: ids.length, inputIds: ids, attentionMask: new Int32Array(ids.length).fill(1) }
    const outputs = await tokensOf(model).run({ batch, states })
    return states.map((h) => pooled(stateOutput(outputs, h, model.name).data, ids.length, mode === 'hidden_avg'))
  }
  return async (prompts) => {
    const read: PromptVectors[] = []
    for (const ids of await idsOf(tokenizer, prompts)) read.push(await run(ids))
    return read
  }
}

/** The last token's state, or the mean over all; [tokens × width]. */
function pooled(data: Float32Array, tokens: number, average: boolean): Float64Array {
  const width = data.length / tokens
  const out = new Float64Array(width)
  const first = average ? 0 : tokens - 1
  for (let token = first; token < tokens; token++) {
    for (let i = 0; i < width; i++) out[i] = (out[i] ?? 0) + (data[token * width + i] ?? 0) / (tokens - first)
  }
  return out
}

/** The sum of a prompt's token embeddings, the same for every layer. */
async function embeddedPrompts(
  model: Model,
  config: Readonly<Record<string, unknown>>,
  layers: number,
): Promise<ReadPrompts> {
  const tokenizer = await tokensOf(model).tokenizer()
  const names = model.tensors.names()
  const roleOf = tensorRoles(config, names)
  const name = names.find((one) => roleOf(one).kind === 'token-embedding') ?? 'model.embed_tokens.weight'
  const info = model.tensors.info(name)
  if (info === undefined) throw fault('tensor.missing', { place: model.name, what: `no tensor ${name}` })
  const bytes = await model.tensors.read(name)
  const [rows = 0, width = 0] = info.shape
  const stride = bytes.length / rows
  return async (prompts) =>
    (await idsOf(tokenizer, prompts)).map((ids) => {
      const sum = new Float64Array(width)
      for (const id of ids) {
        if (id >= rows)
          throw fault('tensor.value', {
            place: model.name,
            what: 'a token beyond the embedding',
            seen: id,
            wanted: `below ${rows}`,
          })
        const row = widen(bytes.subarray(id * stride, (id + 1) * stride), info.dtype)
        for (let i = 0; i < width; i++) sum[i] = (sum[i] ?? 0) + (row[i] ?? 0)
      }
      return Array.from({ length: layers }, () => sum)
    })
}
