/** An opened checkpoint: what it is, and what can be asked of it. A capability that it lacks is absent. */
import {
  type AskOptions,
  type Embedder,
  fault,
  type LanguageModel,
  type Matrix,
  type Reranker,
  type Searcher,
  type SequenceClassifier,
  type TensorSource,
} from '#core'
import type { TextKeys } from '#platform/vectors'
import type { LanguageModelOptions } from '#model/language'
import type { SparseRows } from '#model/lexical'
import type { Tokenizer } from '#model/tokenizer'
import type { EncodeCall, Encoder, Keep, LayerVectors, PassCall } from './layer-vectors.ts'
import type { PromptChoice } from './prompts.ts'
import type { ModelSettings, PoolingName, TokenRow } from '#model/passes'
import type { PromptedRows } from './pooled-encoder.ts'
import type { StateRepresentation } from './state.ts'
import type { Tokens } from './token-states.ts'

/** Facts for `strata models`. */
export interface ModelFacts {
  readonly family: string
  readonly modelType: string
  readonly layers: number
  readonly width: number
  readonly parameters: number
  readonly weightBytes: number
  readonly dtypes: Readonly<Record<string, number>>
  readonly tensors: number
  readonly modules: readonly string[]
  readonly prompts: Readonly<Record<string, string>>
  /** Task adapters that the checkpoint holds. */
  readonly adapters?: readonly string[] | undefined
  readonly heads: readonly string[]
  readonly vocabulary: number | undefined
  readonly notes: readonly string[]
}

/**
 * Hashes of what turns text into numbers. Everything that can move a number is in one of them or in `ModelSettings`.
 */
export interface ModelIdentity {
  readonly tensors: string
  /** The parsed config.json: sizes, wiring, constants. */
  readonly spec: string
  readonly tokenizer: string
  /** Pooling, mix and later modules of the folder, their weights included. */
  readonly modules: string
}

export interface EmbedderOptions {
  /**
   * `all`: a text's pass keeps every state of it, for sweeps; `last` (default): only what `default` needs; a number:
   * the states up to this one, and the pass ends there.
   */
  keep?: Keep | undefined
  /** Keys of texts that several embedders will be asked. */
  keys?: TextKeys | undefined
  /** Poolings that will be asked of the same texts, where vectors are kept: one pass serves them all. */
  poolings?: readonly (readonly PoolingName[])[] | undefined
}

/** Texts that passed the model, their tokens, and the seconds it took. */
export interface Passed {
  readonly texts: number
  readonly tokens: number
  readonly seconds: number
}

/** The hidden states of a transformer, pooled. */
export interface States {
  /** L+1: the embedding output, and one after each block. */
  readonly count: number
  embedder(state: StateRepresentation, options?: EmbedderOptions): Promise<Embedder>
  /** Straight from the model, nothing kept: slots `h<n>`. */
  encoder(states: readonly number[], pooling?: PoolingName): Promise<Encoder>
  /** What passed the model so far where vectors are kept, and how long that took. */
  passed(): Passed
  /** The kept vectors of all states, under the adapter that reads the texts of such a call. */
  vectors(call?: Pick<AskOptions, 'task' | 'promptType'>): Promise<LayerVectors>
  /**
   * The same vectors under the same keys, for a caller that runs the passes of missing ones itself. Close it after use.
   * `pooling`: by default the model's own. Absent where the last vector kept is no state of a pass.
   */
  readonly keptBy?: ((pass: SlotPass, pooling?: readonly PoolingName[]) => Promise<LayerVectors>) | undefined
  /** Search by the tokens of state h; each search passes its texts through the model. */
  searcher(h: number): Promise<Searcher>
  /** Texts as rows of token ids, under a prompt. Throws `tokenizer.*`. */
  tokenRows(texts: readonly string[], prompt: string | null): Promise<PromptedRows>
  /**
   * Rows of token ids straight to states, nothing kept; `last`: the last hidden state as transformers returns it.
   * `pooling`: by default the model's own.
   */
  rows(states: readonly (number | 'last')[], pooling?: readonly PoolingName[]): StateRows
  /** The pooled `last` as `default`; absent where `default` is made of several states. */
  readonly finish: ((last: Matrix) => Matrix) | undefined
  tokenizer(): Promise<Tokenizer>
}

/** Texts to a block [texts × width] for each of these slots: `h3`, `last`. */
export type SlotPass = (
  slots: readonly string[],
  texts: readonly string[],
  prompt: string | null,
  call: EncodeCall,
) => Promise<Float32Array[]>

export interface StateRows {
  /** One for each state asked for. */
  readonly widths: readonly number[]
  /** A block [rows × width] a state. The first `skipped` tokens of each row are read, and left out of the pooling. */
  forward(rows: readonly TokenRow[], skipped: number, call?: PassCall): Promise<Float32Array[]>
}

/** What a plan says of vectors that a server is asked for. */
export interface ModelServer {
  /** The server, without what may be a secret. */
  readonly place: string
  /** Texts per request. */
  readonly batchSize: number
  /** The kept vectors; undefined where none were kept yet, and nobody knows their width. Asks nothing. */
  vectors(): Promise<LayerVectors | undefined>
}

/** Vectors of which few numbers are not 0, as these numbers. */
export interface SparseVectors {
  readonly width: number
  readonly encode: (texts: readonly string[], options?: AskOptions) => Promise<SparseRows>
}

/** Weights of words by the masked-LM head, as a SparseEncoder takes them of a checkpoint without modules. */
export type Splade = Pick<Model, 'embedder' | 'encoder' | 'searcher'>

export interface Model {
  /** As results call it: `org/name`, or a folder's name. */
  readonly name: string
  /** Commit, or a hash of the folder's content, which reads every byte of it once. */
  revision(): Promise<string>
  readonly settings: ModelSettings
  readonly prompts: PromptChoice
  /** Settings that are not the folder's own, as they stand in a representation's name (`len128`). */
  readonly overrides: readonly string[]
  readonly tensors: TensorSource
  /** Facts for the user: defaults that no file names, settings that are not followed. */
  readonly notices: readonly string[]
  facts(): Promise<ModelFacts>
  /** Part of every key under which vectors and results are kept. */
  identity(): Promise<ModelIdentity>
  /** Upper bound of the process's memory for encoding, from headers alone. */
  memoryBytes(): Promise<number>

  /** Why the model has no representation `default`: a reranker gives scores of pairs, and no vector of a text. */
  readonly defaultLacks?: string | undefined
  /** It scores pairs of texts, however it is read here. */
  readonly isReranker?: boolean
  /** The representation `default`. Throws `config.unsupported` for a reranker. */
  embedder(options?: EmbedderOptions): Promise<Embedder>
  /** The same straight from the model, nothing kept: one slot `default`. */
  encoder(): Promise<Encoder>
  readonly states: States | undefined
  /** Present where somebody else makes the vectors of `default`, text by text, and they are kept. */
  readonly server?: ModelServer | undefined
  readonly tokens: Tokens | undefined
  /** Present when the checkpoint has a head for sequence classification. */
  readonly classifier: (() => Promise<SequenceClassifier>) | undefined

  /** Present when `default` scores pairs of texts. */
  readonly reranker?: (() => Promise<Reranker>) | undefined
  /** Why it has none, and what would give it one. */
  readonly rerankerLacks?: { readonly what: string; readonly hint: string } | undefined
  /** Present when `default` searches by more than one vector per text. */
  readonly searcher?: (() => Promise<Searcher>) | undefined

  /** Present where few numbers of `default` are not 0: its vectors as these numbers. */
  readonly sparse?: (() => Promise<SparseVectors>) | undefined
  /** The representation `splade`: present when the checkpoint has a masked-LM head, whatever `default` is. */
  readonly splade?: Splade | undefined

  /** Present when the checkpoint has a head for the next token. */
  readonly languageModel: ((options?: LanguageModelOptions) => Promise<LanguageModel>) | undefined
  /** What it lacks of one, where its family has decoders. */
  readonly languageModelLacks?: string | undefined

  close(): Promise<void>
}

/**
 * The hidden states of a model. Throws `usage.conflict` for a model that has none, such as a static table.
 *
 * @example
 * ```ts
 * import { openModel, statesOf } from 'strata-lm/layers'
 *
 * const model = await openModel('assets/models/stories260K')
 * console.log(statesOf(model).count) // → 6
 * await model.close()
 * ```
 */
export function statesOf({ name, states }: Model): States {
  return states ?? lacking(name, 'no hidden states')
}

/**
 * A model as a language model: log-likelihoods and generated texts. `place` names who asks, in messages. Throws
 * `usage.conflict` for a model that has no head for the next token.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { languageModelOf } from 'strata-lm/harness'
 *
 * const model = await openModel('assets/models/stories260K')
 * const language = await languageModelOf(model, 'example')
 * const [written] = await language.generate(['Once upon a'], { maxTokens: 4 })
 * console.log(written?.text) // → time, there was
 * await model.close()
 * ```
 */
export async function languageModelOf(
  { languageModel, languageModelLacks: what }: Model,
  place: string,
  options?: LanguageModelOptions,
): Promise<LanguageModel> {
  if (languageModel !== undefined) return languageModel(options)
  throw what === undefined
    ? fault('usage.conflict', {
        place,
        what: 'the model has no head for the next token',
        hint: 'use a causal language model, or an encoder with its decoder',
      })
    : fault('usage.conflict', { place, what, hint: 'use a checkpoint with encoder and decoder' })
}

/** The model as a reranker. Throws `config.unsupported` for one that scores no pairs, with what would make it do so. */
export async function openReranker({ name, reranker, rerankerLacks }: Model): Promise<Reranker> {
  if (reranker !== undefined) return reranker()
  throw fault('config.unsupported', {
    place: name,
    what: rerankerLacks?.what ?? 'the model scores no pairs of texts',
    wanted: 'a cross-encoder with a head of one or two labels, or a causal reranker',
    hint: rerankerLacks?.hint,
  })
}

/** Throws `representation.unknown` for a checkpoint without a masked-LM head. */
export function requireSplade({ name, splade }: Model): Splade {
  if (splade !== undefined) return splade
  throw fault('representation.unknown', {
    place: name,
    what: 'the checkpoint has no masked-LM head, which weighs words',
    seen: 'splade',
    hint: 'use a …ForMaskedLM checkpoint',
  })
}

/** The model's tokens; throws `usage.conflict` for one that has none. */
export function tokensOf({ name, tokens }: Model): Tokens {
  return tokens ?? lacking(name, 'no layers and no tokens')
}

function lacking(place: string, what: string): never {
  throw fault('usage.conflict', { place, what: `the model has ${what}`, hint: 'its only representation is default' })
}
