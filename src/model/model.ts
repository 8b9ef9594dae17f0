/** An opened checkpoint: what it is, every layer's vectors, and an embedder for any of its representations. */
import type { Embedder, TensorSource } from '../core/index.ts'
import type { Tokenizer } from '../tokenizer/index.ts'
import type { Encoder, LayerVectors } from './layer-vectors.ts'
import type { PromptChoice } from './prompts.ts'
import type { PoolingName, Representation } from './representation.ts'
import type { VectorStore } from './store/index.ts'
import type { TokenBatch, TokenRequest, TokenStates } from './token-states.ts'

/** How a model is read. Every field that differs from the folder's own word is shown in results. */
export interface ModelOptions {
  /** Read config.json as this family. */
  architecture?: string
  /** Replaces the folder's pooling. */
  pooling?: PoolingName
  /** Tokens of a text, special tokens included. */
  maxLength?: number
  finalNorm?: FinalNorm
  /** In front of every text; beats the folder's prompts. */
  prompt?: string
  promptName?: string
  /** Each text becomes one user turn of the chat template. */
  chat?: boolean
  /** Padded tokens of a batch. */
  batchTokens?: number
  /** Threads of the engine; default: the cores there are. */
  threads?: number
  device?: Device
  /** Where layer vectors are kept; without one they live in a temporary folder. */
  store?: VectorStore
}

export type FinalNorm = 'native' | 'always'
export type Device = 'cpu' | 'webgpu' | 'cuda'

/** What was settled from folder, config and options: everything about a model that can move a score. */
export interface ModelSettings {
  /** Concatenated in this order. Empty for static tables. */
  readonly pooling: readonly PoolingName[]
  readonly maxLength: number
  readonly finalNorm: FinalNorm
  readonly includePrompt: boolean
  readonly lowerCase: boolean
  readonly chat: boolean
  readonly dtype: 'f32'
}

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
  readonly heads: readonly string[]
  readonly vocabulary: number | undefined
  readonly notes: readonly string[]
}

export interface Model {
  readonly kind: 'transformer' | 'static'
  /** As results call it: `org/name`, or a folder's name. */
  readonly name: string
  /** Commit, or a hash of the folder's content, which reads every byte of it once. */
  revision(): Promise<string>
  readonly settings: ModelSettings
  readonly prompts: PromptChoice
  /** Settings that are not the folder's own, as they stand in a representation's name (`len128`). */
  readonly overrides: readonly string[]
  /** L+1 hidden states; 0 for a static table, which has only `default`. */
  readonly states: number
  readonly hasPooler: boolean
  readonly tensors: TensorSource
  facts(): Promise<ModelFacts>
  /** Hashes of what turns text into numbers; part of every result's fingerprint. */
  identity(): Promise<{ tensors: string; tokenizer: string; modules: string }>
  /** Upper bound of the process's memory for encoding, from headers alone. */
  memoryBytes(): Promise<number>
  tokenizer(): Promise<Tokenizer>
  /** `all`: every state is kept, for sweeps; `last`: only what `default` needs. */
  embedder(representation: Representation, keep?: 'all' | 'last'): Promise<Embedder>
  /** The cached pooled vectors of every state; undefined for static tables. */
  layerVectors(keep?: 'all' | 'last'): Promise<LayerVectors | undefined>
  /** Pooled vectors straight from the model, nothing kept: slots `h<n>`, or one slot `default`. */
  encoder(states: readonly number[] | 'default'): Promise<Encoder>
  /** Texts as one padded batch. */
  tokenise(texts: readonly string[], options: { prompt: string | null; side: 'left' | 'right' }): Promise<TokenBatch>
  /** Token-level states, logits and pooler of one batch of ids. */
  tokenStates(request: TokenRequest): Promise<TokenStates>
  close(): Promise<void>
}
