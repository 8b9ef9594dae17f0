/** Texts → pooled vectors of the states asked for, one forward pass per text: prompt, tokens, batches, graph. */
import { fault } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { GraphRequest, PoolMode } from '#model/graph'
import type { Tokenizer } from '#model/tokenizer'
import {
  forwardPooled,
  type PooledSlot,
  type TokenRow,
  type ModelSettings,
  type PoolingName,
  type Graphs,
} from '#model/passes'
import type { Encoder, PassCall } from './layer-vectors.ts'
import { mixStates, type LayerMix } from './modules.ts'

export interface PooledEncoderParts {
  readonly spec: ModelSpec
  readonly settings: ModelSettings
  readonly graphs: Graphs
  readonly tokenizer: Tokenizer
  /** Hidden states to keep as slots `h<n>`. */
  readonly states: readonly number[]
  /** The last state as slot `last`. Without it the graph ends at the highest of `states`. */
  readonly last: boolean
  readonly budget: number
  /** The last state is replaced by a mix of states (WeightedLayerPooling). */
  readonly mix?: LayerMix | undefined
}

/**
 * The graph is opened with the first text. Throws `representation.unknown` for a pooler that cannot stand alone, and
 * what wiring the graph throws.
 */
export function pooledEncoder(parts: PooledEncoderParts): Encoder {
  const { mix, ...rest } = parts
  if (mix !== undefined && rest.last) return mixingEncoder(rest, mix)
  const pooled = pooledRows(rest)
  const read = promptedRows(rest)
  return {
    slots: pooled.slots,
    async encode(texts, prompt, call) {
      const { rows, skipped } = await read(texts, prompt)
      return pooled.forward(rows, skipped, call)
    },
  }
}

/** Texts as a model reads them under a prompt. */
export interface PromptedRows {
  readonly rows: readonly TokenRow[]
  /** Tokens at the start of every row that are read, and left out of the pooling. */
  readonly skipped: number
}

/** Counts the tokens of each prompt once. */
export function promptedRows({
  spec,
  settings,
  tokenizer,
}: Pick<PooledEncoderParts, 'spec' | 'settings' | 'tokenizer'>): (
  texts: readonly string[],
  prompt: string | null,
) => Promise<PromptedRows> {
  const promptLength = new Map<string, Promise<number>>()
  const promptTokens = (prompt: string): Promise<number> => {
    const known = promptLength.get(prompt) ?? countPrompt(tokenizer, prompt, settings)
    promptLength.set(prompt, known)
    return known
  }
  return async (texts, prompt) => {
    const rows = await tokenRows(tokenizer, texts, prompt, settings)
    checkIds(rows, spec)
    return { rows, skipped: prompt === null || settings.includePrompt ? 0 : await promptTokens(prompt) }
  }
}

/** Rows of token ids → pooled states, a block [rows × width] for each slot. */
export interface PooledRows {
  readonly slots: Encoder['slots']
  /** The first `promptTokens` of every row are read, and left out of the pooling. */
  forward(rows: readonly TokenRow[], promptTokens: number, call?: PassCall): Promise<Float32Array[]>
}

export function pooledRows(
  parts: Omit<PooledEncoderParts, 'mix' | 'tokenizer'> & { readonly tokenizer?: Tokenizer | undefined },
): PooledRows {
  const { spec, settings, graphs, tokenizer, states, last, budget } = parts
  const pooler = settings.pooling.includes('pooler')
  if (pooler && (settings.pooling.length > 1 || spec.heads.pooler === undefined)) {
    throw fault('representation.unknown', {
      place: spec.title,
      what: 'has no pooler that can be used on its own',
      seen: settings.pooling,
      hint: 'use mean, cls or lasttoken',
    })
  }
  const pool = graphPooling(settings.pooling)
  const request: GraphRequest = pooler
    ? { pooler: true, inputs: ['token_type_ids'] }
    : {
        states,
        pool,
        finalNorm: settings.finalNorm,
        inputs: ['token_type_ids', 'pool_mask'],
        ...(last ? {} : { pooledLast: false }),
      }
  const slots: (PooledSlot & { name: string })[] = graphs
    .outputs(request)
    .filter(({ per }) => per === 'text')
    .map(({ name, h, width }) => ({ output: name, name: h === undefined ? 'last' : `h${h}`, width }))
  return {
    slots: slots.map(({ name, width }) => ({ name, width })),
    async forward(rows, promptTokens, { signal, onRows, passes = 1 } = {}) {
      const batches = Math.max(passes, countBatches(rows, budget))
      const { graph, session, workers } = await graphs.open(request, { batches })
      return forwardPooled(session, rows, slots, {
        budget: Math.ceil(budget / workers),
        workers,
        padId: spec.padId ?? tokenizer?.padId ?? 0,
        promptTokens,
        inputs: new Set(graph.inputs.map(({ name }) => name)),
        signal,
        onBatch: onRows,
      })
    },
  }
}

/**
 * The library mixes states as the reference returns them; pooling is linear in them, so that the mix may be taken
 * afterwards.
 */
function mixingEncoder(parts: Omit<PooledEncoderParts, 'mix'>, mix: LayerMix): Encoder {
  if (parts.spec.final.norm && parts.settings.finalNorm === 'always') {
    throw fault('config.unsupported', {
      place: parts.spec.title,
      what: 'WeightedLayerPooling of a model with a final norm',
      hint: '--final-norm native',
    })
  }
  const mixed = Array.from({ length: mix.weights.length }, (_unused, k) => mix.start + k)
  const encoder = pooledEncoder({ ...parts, states: [...new Set([...parts.states, ...mixed])].sort((a, b) => a - b) })
  const slotOf = (h: number): number => encoder.slots.findIndex(({ name }) => name === `h${h}`)
  const width = encoder.slots[slotOf(mix.start)]?.width ?? 0
  return {
    slots: [
      ...parts.states.map((h) => ({ name: `h${h}`, width: encoder.slots[slotOf(h)]?.width ?? 0 })),
      { name: 'last', width },
    ],
    async encode(texts, prompt, call) {
      const values = await encoder.encode(texts, prompt, call)
      const at = (h: number): Float32Array => values[slotOf(h)] ?? new Float32Array(0)
      const last = mixStates(
        mix,
        mixed.map((h) => ({ rows: texts.length, width, data: at(h) })),
      )
      return [...parts.states.map(at), last.data]
    },
  }
}

/** The graph's pooling modes; the pooler is left out. */
export function graphPooling(pooling: readonly PoolingName[]): PoolMode[] {
  return pooling.filter((name) => name !== 'pooler')
}

/** The engine would say no more than that an index is out of bounds. */
export function checkIds(rows: readonly TokenRow[], { title, vocabulary }: ModelSpec): void {
  for (const { ids } of rows) {
    const wrong = ids.find((id) => id >= vocabulary)
    if (wrong !== undefined)
      throw fault('tokenizer.invalid', {
        place: title,
        what: 'the tokenizer gives an id for which the model has no embedding',
        seen: wrong,
        wanted: `0 … ${vocabulary - 1}`,
        hint: 'the tokenizer does not belong to this checkpoint',
      })
  }
}

/** Batches that rows fill, a part of one counted whole. */
export function countBatches(rows: readonly TokenRow[], budget: number): number {
  return Math.ceil(rows.reduce((sum, { ids }) => sum + ids.length, 0) / budget)
}

/**
 * Token ids of the texts as the model reads them: chat template, lower case, prompt in front, cut to the longest input.
 */
export async function tokenRows(
  tokenizer: Tokenizer,
  texts: readonly string[],
  prompt: string | null,
  { maxLength, lowerCase, chat }: ModelSettings,
): Promise<TokenRow[]> {
  const worded = texts.map((text) => {
    const whole = prompt === null ? text : prompt + text
    return lowerCase ? lower(whole) : whole
  })
  if (!chat) return tokenizer.encodeBatch(worded, { maxLength })
  // A rendered chat brings its own special tokens.
  const turns = worded.map((content) => tokenizer.renderChat([{ role: 'user', content }]))
  return tokenizer.encodeBatch(turns, { maxLength, addSpecialTokens: false })
}

/** Letter by letter, as the tokenizers' own Lowercase: a final sigma stays a plain one. */
function lower(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase()).join('')
}

/**
 * Tokens that a prompt takes at the start of a text; a closing special token is not part of it (sentence-transformers
 * `_get_prompt_length`).
 */
export async function countPrompt(tokenizer: Tokenizer, prompt: string, settings: ModelSettings): Promise<number> {
  const [row] = await tokenRows(tokenizer, [prompt], null, settings)
  const last = row?.ids.at(-1)
  const special = new Set(Object.values(tokenizer.specialTokens).map((token) => tokenizer.tokenId(token)))
  return (row?.ids.length ?? 0) - (last !== undefined && special.has(last) ? 1 : 0)
}
