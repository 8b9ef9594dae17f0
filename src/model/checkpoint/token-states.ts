/**
 * One batch of token ids through the model: hidden states token by token, logits, pooler – as the reference's plain
 * call gives them.
 */
import { fault } from '#core'
import { referenceIndex, type ModelSpec, type StateIndex } from '#model/architectures'
import type { GraphOutput, OptionalInput } from '#model/graph'
import type { Tokenizer } from '#model/tokenizer'
import type { FinalNorm, ModelSettings, Graphs } from '#model/passes'
import { applyModules, type ModulesSpec } from './modules.ts'
import { graphPooling, tokenRows } from './pooled-encoder.ts'
import { assertDefault } from './reranker.ts'

/**
 * A batch as the caller has it; [rows × cols], row-major. Positions and token types are the reference's own when left
 * out.
 */
export interface TokenBatch {
  readonly rows: number
  readonly cols: number
  readonly inputIds: Int32Array
  readonly attentionMask: Int32Array
  readonly tokenTypeIds?: Int32Array | undefined
  readonly positionIds?: Int32Array | undefined
}

export interface TokenRequest {
  readonly batch: TokenBatch
  /** Hidden states to return. */
  readonly states: readonly number[]
  readonly lastState?: boolean
  readonly pooler?: boolean
  readonly logits?: boolean
  /** One pooled vector per text instead of token states; the last state's is called `last`. */
  readonly pooled?: boolean
  /** With `pooled`: the model's own embedding too, as `embeddings`. */
  readonly embedding?: boolean
}

/**
 * Dims as the engine gave them: [rows × cols × width] for states, [rows × labels] or [rows × cols × vocabulary] for
 * logits.
 */
export interface TokenOutput {
  readonly name: string
  readonly dims: readonly number[]
  readonly data: Float32Array
}

/** Named as in the reference: `hidden_states.<h>`, `last_hidden_state`, `pooler_output`, `logits`. */
export type TokenStates = readonly TokenOutput[]

/** State h among the outputs of a run that was asked for it. Throws `internal`. */
export function stateOutput(outputs: TokenStates, h: number, model: string): TokenOutput {
  const found = outputs.find(({ name }) => name === `hidden_states.${h}`)
  if (found === undefined) throw fault('internal', { place: `${model} › h${h}`, what: 'the graph gave no such state' })
  return found
}

/** Token by token. */
export interface Tokens {
  readonly hasPooler: boolean
  /** False: it has fewer rows than the text has tokens. */
  readonly hasLastState: boolean
  /** Throws `tokenizer.missing` for a checkpoint that has only tensors. */
  tokenizer(): Promise<Tokenizer>
  /** Texts as one padded batch. */
  batch(texts: readonly string[], options: { prompt: string | null; side: 'left' | 'right' }): Promise<TokenBatch>
  /** States, logits and pooler of one batch of ids. */
  run(request: TokenRequest): Promise<TokenStates>
}

/** Ids must lie in the vocabulary and masks be 0 or 1: the engine would read past its table. */
function checkBatch(
  { inputIds, attentionMask, tokenTypeIds, positionIds, rows, cols }: TokenBatch,
  vocabulary: number,
  place: string,
): void {
  const length = rows * cols
  const parts = {
    input_ids: inputIds,
    attention_mask: attentionMask,
    token_type_ids: tokenTypeIds,
    position_ids: positionIds,
  }
  for (const [name, values] of Object.entries(parts)) {
    if (values !== undefined && values.length !== length)
      throw fault('tensor.shape', {
        place: `${place} › ${name}`,
        what: 'does not fit input_ids',
        seen: values.length,
        wanted: [rows, cols],
      })
  }
  const wrong = inputIds.findIndex((id) => id < 0 || id >= vocabulary)
  if (wrong >= 0)
    throw fault('tensor.value', {
      place: `${place} › input_ids`,
      what: 'id outside the vocabulary',
      seen: inputIds[wrong],
      wanted: `0 … ${vocabulary - 1}`,
    })
  const mask = attentionMask.findIndex((value) => value !== 0 && value !== 1)
  if (mask >= 0)
    throw fault('tensor.value', {
      place: `${place} › attention_mask`,
      what: 'neither 0 nor 1',
      seen: attentionMask[mask],
    })
}

export interface TokensParts {
  readonly name: string
  readonly spec: ModelSpec
  readonly settings: ModelSettings
  readonly modules: ModulesSpec | undefined
  readonly graphs: Graphs
  readonly tokenizer: () => Promise<Tokenizer>
  readonly hasPooler: boolean
  readonly hasLastState: boolean
  readonly defaultLacks: string | undefined
}

export function openTokens({
  name,
  spec,
  settings,
  modules,
  graphs,
  tokenizer,
  hasPooler,
  hasLastState,
  defaultLacks,
}: TokensParts): Tokens {
  const later = modules?.later ?? []
  return {
    hasPooler,
    hasLastState,
    tokenizer,
    async batch(texts, { prompt, side }) {
      const one = await tokenizer()
      const { inputIds, attentionMask, typeIds, rows, cols } = one.pad(await tokenRows(one, texts, prompt, settings), {
        side,
      })
      const batch: TokenBatch = { rows, cols, inputIds, attentionMask }
      return spec.embedding.tokenTypes > 0 ? { ...batch, tokenTypeIds: typeIds } : batch
    },
    async run(request) {
      if (request.embedding === true) assertDefault({ name, defaultLacks })
      checkBatch(request.batch, spec.vocabulary, name)
      const outputs = await runTokens(request, { spec, graphs, settings })
      return outputs.flatMap((output) => {
        if (output.name !== 'last') return [output]
        if (request.embedding !== true) return []
        const [rows = 0, width = 0] = output.dims
        const finished = applyModules(later, { rows, width, data: output.data })
        return [{ name: 'embeddings', dims: [rows, finished.width], data: finished.data }]
      })
    },
  }
}

/** Runs the batch as it is given. The model's own position and type rules apply to what the batch leaves out. */
async function runTokens(
  { batch, states, lastState = false, pooler = false, logits = false, pooled = false, embedding = false }: TokenRequest,
  { spec, graphs, settings: { finalNorm, pooling } }: Pick<TokensParts, 'spec' | 'graphs' | 'settings'>,
): Promise<TokenStates> {
  // Where the reference lists the last state among the others, it is one of those that are returned.
  const needsLast = embedding || spec.stateNames === 'blocks-only'
  const given: OptionalInput[] = [
    ...(batch.tokenTypeIds ? (['token_type_ids'] as const) : []),
    ...(batch.positionIds ? (['position_ids'] as const) : []),
  ]
  const { graph, session } = await graphs.open({
    states,
    ...(pooled ? { pool: graphPooling(pooling), pooledLast: needsLast } : { tokens: true }),
    lastState,
    pooler: pooler && spec.heads.pooler !== undefined,
    logits: logits ? 'auto' : 'none',
    finalNorm,
    inputs: given,
  })
  const known = new Set<string>(graph.inputs.map(({ name }) => name))
  const dims = [batch.rows, batch.cols]
  const feeds = Object.fromEntries(
    [
      ['input_ids', batch.inputIds] as const,
      ['attention_mask', batch.attentionMask] as const,
      ...(batch.tokenTypeIds ? [['token_type_ids', batch.tokenTypeIds] as const] : []),
      ...(batch.positionIds ? [['position_ids', batch.positionIds] as const] : []),
    ]
      .filter(([name]) => known.has(name))
      // The engine takes the buffers over; the batch stays the caller's.
      .map(([name, data]) => [name, { dtype: 'int32' as const, dims, data: data.slice() }]),
  )
  const outputs = await session.run(feeds)
  return graph.outputs.flatMap((output) => {
    const value = outputs[output.name]
    if (value?.dtype !== 'float32')
      throw fault('engine.run', { place: output.name, what: 'the graph did not give this output' })
    return namesOf(output, spec, finalNorm).map((name) => ({ name, dims: value.dims, data: value.data }))
  })
}

/**
 * Under `native` states are called as the reference numbers them; where it counts the normed last state among them,
 * that one has two names.
 */
function namesOf({ name, kind, h = 0 }: GraphOutput, spec: ModelSpec, finalNorm: FinalNorm): string[] {
  const native = finalNorm === 'native'
  const listed = (state: StateIndex): string[] => {
    const own = state === 'last' ? undefined : state
    const index = native ? referenceIndex(spec, state) : own
    return index === undefined ? [] : [`hidden_states.${index}`]
  }
  switch (kind) {
    case 'state':
    case 'pooled':
      return listed(h)
    case 'last':
      return [name, ...listed('last')]
    case 'pooled-last':
      return ['last', ...listed('last')]
    case 'pooler':
    case 'logits':
    case 'picked':
    case 'present':
    case 'source':
    case 'words':
      return [name]
    default:
      return kind satisfies never
  }
}
