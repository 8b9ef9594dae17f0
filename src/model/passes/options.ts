/** How a model is read: the caller's options, and the settings they become. */
import type { Device, DeviceName, PromptType, Similarity } from '#core'
import type { ComputeType, EngineChoice } from './arithmetic.ts'
import type { PoolingName } from './pooling-name.ts'
import type { VectorStore } from '#platform/vectors'

/** Every field that differs from the folder's own word is shown in results. */
export interface ModelOptions {
  /** Read config.json as this family. */
  architecture?: string | undefined
  /** The first layers alone, and the heads on top of the last of them; default: all. */
  layers?: number | undefined
  /** Replaces the folder's pooling. */
  pooling?: PoolingName | undefined
  /** Tokens of a text, special tokens included. */
  maxLength?: number | undefined
  finalNorm?: FinalNorm | undefined
  /** In front of every text; beats the folder's prompts. */
  prompt?: string | undefined
  promptName?: string | undefined
  /** One of the checkpoint's task adapters for every text, or `none`; default: the one for the task. */
  adapter?: string | undefined
  /** Each text becomes one user turn of the chat template. */
  chat?: boolean | undefined
  /** Vectors of a representation are scaled to length 1, whatever the folder's modules do. */
  normalize?: boolean | undefined
  /** Padded tokens of a batch. */
  batchTokens?: number | undefined
  /** Threads of the engine; default: the budget of the process (`STRATA_THREADS`, otherwise what its limits leave). */
  threads?: number | undefined
  device?: Device | undefined
  /** `auto`: OpenVINO where it is installed; default onnxruntime. */
  engine?: EngineChoice | undefined
  /** Type of products; default float32. */
  dtype?: ComputeType | undefined
  /** Where layer vectors are kept; without one they live in a temporary folder. */
  store?: VectorStore | undefined
  /** Receives one line for each thing its user should know of: words of files that are not clear, or not followed. */
  onNotice?: ((line: string) => void) | undefined
}

export const finalNorms = ['native', 'always'] as const
export type FinalNorm = (typeof finalNorms)[number]

/** Settings from folder, config and options: everything about a model that can move a score. */
export interface ModelSettings {
  /** Concatenated in this order. Empty for static tables. */
  readonly pooling: readonly PoolingName[]
  readonly maxLength: number
  readonly finalNorm: FinalNorm
  readonly includePrompt: boolean
  readonly lowerCase: boolean
  readonly chat: boolean
  /** The task adapter that reads texts which no task asks for. */
  readonly adapter?: string | undefined
  /** A graph that pools by itself. */
  readonly graph?: true | undefined
  /** How a reranker reads pairs, whose length is not that of single texts. */
  readonly pairs?:
    | {
        readonly maxLength: number
        readonly labels: number
        readonly activation: string
        readonly hasTypes: boolean
        /** Tokens whose logits are the score. */
        readonly tokens?: { readonly yes: number; readonly no: number | undefined } | undefined
        /** How states become a vector, where Dense modules make scores of it. */
        readonly pooling?: readonly PoolingName[] | undefined
      }
    | undefined
  /** How a late-interaction model reads queries and documents. */
  readonly lateInteraction?: LateInteraction | undefined
  /** How the logits of a masked-LM head become weights of words, where these are the vector. */
  readonly splade?: { readonly pooling: 'max' | 'sum'; readonly logs: 1 | 2 } | undefined
  /** How a side is read where queries and documents are read in different ways; the rest is for texts of no side. */
  readonly routes?: Readonly<Record<PromptType, ModelSettings>> | undefined
  /** Constants of BM25, which has no vectors. */
  readonly bm25?: { readonly k1: number; readonly b: number } | undefined
  /** Absent: vectors keep their lengths. */
  readonly normalize?: true | undefined
  readonly dtype: 'f32' | 'bf16' | 'f16' | 'int8'
  /** With its version; absent: ONNX Runtime, whose bits are others. */
  readonly engine?: string | undefined
  /** Without its number. */
  readonly device: DeviceName
  /** Whose `hidden_states` `finalNorm: native` stands for: ModernBERT's last state is normed since this release. */
  readonly native: 'transformers-5'
  /** How the folder says its vectors are compared; cosine when it says nothing. */
  readonly similarity: Similarity
}

/** As config files say it; each field moves scores. */
export interface LateInteraction {
  /** Tokens behind the first one of a text. */
  readonly markers: Readonly<Partial<Record<PromptType, string>>>
  /** Tokens of a text, the marker included; default: as many as the model reads. */
  readonly lengths: Readonly<Partial<Record<PromptType, number>>>
  /** Queries are filled up to `length` tokens, all of which are scored. */
  readonly expansion?: Expansion | undefined
  /** Words whose tokens have no vector, and the sides they are left out of. */
  readonly skipped: {
    readonly words: readonly string[]
    readonly sides: readonly PromptType[]
    /** A word that is no token stands for the unknown one; otherwise for none. */
    readonly unknown: boolean
  }
  /** Scores are divided by the number of the query's vectors. */
  readonly isMean: boolean
}

export interface Expansion {
  readonly length: number
  /** Whether the other tokens attend to those that fill. */
  readonly attend: boolean
  /** Default: the mask token, or the end of text, or padding. */
  readonly token?: string | undefined
  /** Longer queries keep their tokens. */
  readonly isLeast: boolean
}
