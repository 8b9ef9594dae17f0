/** An opened checkpoint: what it is, every layer's vectors, and an embedder for any of its representations. */
import type { Embedder, SequenceClassifier, TensorSource } from '#core'
import type { Tokenizer } from '#model/tokenizer'
import type { Encoder, LayerVectors } from './layer-vectors.ts'
import type { PromptChoice } from './prompts.ts'
import type { ModelSettings } from './options.ts'
import type { Representation } from './representation.ts'
import type { TokenBatch, TokenRequest, TokenStates } from './token-states.ts'

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
  /** The head's logits; throws `config.unsupported` for a model without a head for sequence classification. */
  classifier(): Promise<SequenceClassifier>
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
