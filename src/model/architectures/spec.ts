/**
 * What a model computes, resolved to the last number: the one thing the graph builder reads. Unions are closed; no
 * field names a family.
 */
import type { Activation } from './activation.ts'
import type { AttentionSpec, CrossSpec } from './attention-spec.ts'
import type { EmbeddingSpec } from './embedding-spec.ts'
import type { ExpertsSpec } from './experts-spec.ts'
import type { MixerSpec } from './mixer-spec.ts'
import type { NormSpec } from './norm-spec.ts'
import type { ShorterSpec } from './shorter-spec.ts'
import type { Slot, TensorNames } from './slots.ts'

export type {
  AttendedPositions,
  AttentionConvolution,
  AttentionSpec,
  CrossSpec,
  DifferentialAttention,
  DynamicMask,
  QueryKeyNorm,
  QueryTemperature,
} from './attention-spec.ts'
export type { AssembledRow, EmbeddingSpec, FixedRow } from './embedding-spec.ts'
export type { NormSpec } from './norm-spec.ts'
export type { LearnedPositions, Rotary, RotaryScaling, Sinusoids } from './position-spec.ts'
export type { ConvolvedRows, PooledRows, ShorterSpec } from './shorter-spec.ts'
export type { Slot, SlotNames, TensorNames } from './slots.ts'

/** States of the reference that are none of ours. */
export interface ShorterStates {
  readonly after: number
  readonly skipped: number
}

export interface ModelSpec {
  /** Title of the family whose data made this spec, for people. */
  readonly title: string
  /** As in config.json, or as asked for by `architecture`. */
  readonly modelType: string
  /** Class named first in `architectures`, if any. */
  readonly className: string | undefined
  /** Head that class carries. */
  readonly head: HeadName | undefined
  /**
   * Names of the classes of a sequence classifier in order; undefined when the config does not say how many there are.
   */
  readonly labels: readonly string[] | undefined
  /** True when a token sees only itself and the tokens before it. */
  readonly causal: boolean
  /** Number of hidden states after the embedding output. */
  readonly layers: number
  readonly width: number
  readonly vocabulary: number
  /** Longest input the positions allow; undefined when nothing bounds it. */
  readonly maxTokens: number | undefined
  readonly padId: number | undefined
  readonly embedding: EmbeddingSpec
  readonly norm: NormSpec
  /** Joins the output of the first block. */
  readonly convolution: ConvolutionSpec | undefined
  /** Most blocks have this; the others say their own. No heads: no attention; no columns: no MLP. */
  readonly attention: AttentionSpec
  readonly mlp: MlpSpec
  /** Where set, blocks are of MobileBERT's kind. */
  readonly bottleneck: BottleneckSpec | undefined
  /** Where set, a block reads an encoder's states between attention and MLP: x = x + C(n(x), states). */
  readonly cross: CrossSpec | undefined
  readonly adapter: AdapterSpec | undefined
  /** Both branches are multiplied by this before they are added to the residual stream. */
  readonly residual: number
  /** Where set, the stream is multiplied by learned vectors before a branch is added (Doge). */
  readonly streamWeights?: boolean
  /** What a half gives, and the stream that it is added to, are first shifted and scaled by learned vectors (ZAYA). */
  readonly streamShifts?: boolean
  /** Every block adds a vector that it makes of the token itself (Gemma 3n). */
  readonly layerInputs?: LayerInputs | undefined
  /** The stream is several, of which a block reads and writes one (Gemma 3n). */
  readonly streams?: StreamsSpec | undefined
  /** A narrower stream runs along with the text's (LiLT). */
  readonly companion?: CompanionSpec | undefined
  /** Blocks that are `inside` run on fewer rows than the text has tokens. */
  readonly shorter?: ShorterSpec | undefined
  /** Rank of a second branch next to attention: x + norm(x · A · B) (LAuReL: Menghani et al. 2024). */
  readonly laurel?: number | undefined
  /** What a block leaves is multiplied by one learned number (Gemma 4). */
  readonly blockScale?: boolean
  readonly final: FinalSpec
  readonly blocks: readonly BlockSpec[]
  /**
   * What the reference's `hidden_states` lists: the embedding output, then blocks, or blocks and the last state after
   * the final norm (Mamba); or all of them and, after state `after`, as many that are shorter than the text.
   */
  readonly stateNames: 'embeddings-first' | 'blocks-only' | ShorterStates
  readonly heads: Readonly<Partial<Record<HeadName | 'pooler', HeadSpec>>>
  readonly tensors: TensorNames
}

/**
 * `width` columns per token and block: those of a table with `rows` rows (later ids read row 0), times √width, plus
 * norm(embedding · W / √model width), over √2.
 */
export interface LayerInputs {
  readonly width: number
  readonly rows: number
  /** Blocks that the table has columns for. */
  readonly blocks: number
}

/**
 * `count` streams (AltUp: Baykal et al. 2023): a block predicts all of them from all, computes the `active` one, and
 * corrects all by what that differs from its prediction.
 */
export interface StreamsSpec {
  readonly count: number
  readonly active: number
  /** Whether the active stream is multiplied by a learned vector where layer inputs are made of it. */
  readonly scaled: boolean
}

/**
 * A stream of `width` columns about places on the page, with blocks as the text's, post-norm, and everything of theirs
 * `shrink` times as narrow. The scores of both streams are added, and both attend by the sum (Wang et al. 2022).
 */
export interface CompanionSpec {
  readonly width: number
  readonly shrink: number
  readonly activation: Activation
  /** Rows and columns of the tables of coordinates, six of which stand side by side: row 0 for a bare text. */
  readonly boxes: { readonly rows: number; readonly width: number }
}

export type HeadName = 'sequence' | 'causal' | 'masked'

/**
 * Where a block's norms stand.
 * `after-add`   x = n1(x + A(x)); x = n2(x + M(x))                      (post-norm: BERT)
 * `after-add-twice`  y = n1'(x + A(x)); x = n1(x + y); x = n2(x + M(x)) (Jina's code model)
 * `before`      x = x + A(n1(x)); x = x + M(n2(x))                      (pre-norm: LLaMA)
 * `around`      x = x + n1'(A(n1(x))); x = x + n2'(M(n2(x)))            (Gemma 2)
 * `after`       x = x + n1'(A(x)); x = x + n2'(M(x))                    (OLMo 2)
 * `parallel`    x = x + A(n1(x)) + M(n2(x))                             (GPT-NeoX)
 * `parallel-one-norm`  x = x + A(n1(x)) + M(n1(x))                      (Phi)
 * `normed-stream`  x = n1(x); x = x + A(x); x = n2(x); x = x + M(x)     (BLOOM,
 * apply_residual_connection_post_layernorm)
 * `into-scan`   x = x + S(n1(x + P·M(n2(A(n([x | embedding]))))))       (Zamba)
 */
export type NormPlacement =
  | 'after-add'
  | 'after-add-twice'
  | 'before'
  | 'around'
  | 'after'
  | 'parallel'
  | 'parallel-one-norm'
  | 'normed-stream'
  | 'into-scan'

/** norm(block output + activation(convolution of hidden state 0 along the text)), an odd `kernel` wide (DeBERTa-v2). */
export interface ConvolutionSpec {
  readonly kernel: number
  readonly groups: number
  readonly activation: Activation
}

/**
 * `gated`: activation(gate) ⊙ up, from two matrices, or from one (and two where the file has those): `halves`
 * [gate | up], `halves-reversed` [up | gate].
 */
export type MlpSpec =
  | {
      readonly kind: 'plain'
      /** `xielu` has parameters of its own in every block (Huang et al. 2024). */
      readonly activation: Activation | 'xielu'
      readonly width: number
      readonly bias: MlpBias
      /** Matrices that mix the columns of a group alone. */
      readonly groups?: { readonly in: number; readonly out: number } | undefined
    }
  | {
      readonly kind: 'gated'
      readonly activation: Activation
      readonly width: number
      readonly bias: MlpBias
      readonly layout: 'separate' | 'halves' | 'halves-reversed'
      /** On the gate before its activation, and on what comes out (Falcon H1). */
      readonly factors?: { readonly gate: number; readonly out: number }
      /** Norm before the projection out (BitNet). */
      readonly innerNorm?: NormSpec | undefined
      /** Rank of a branch x · A · B next to the projection in; for `halves` alone (Zamba 2). */
      readonly branch?: number | undefined
      /** Only parts of the first above mean + this · standard deviation remain (Gemma 3n). */
      readonly cutoff?: number | undefined
    }
  /** Reads a mixture of a token and the one before it; the output goes through a gate as wide as the model (RWKV). */
  | {
      readonly kind: 'receptance'
      readonly activation: Activation
      readonly width: number
      readonly bias: false
    }
  | ExpertsSpec

/**
 * A bottleneck behind every MLP (Pfeiffer et al. 2022): with y = x + M(x), z = norm(y) and A of two matrices around an
 * activation, A(z) is added to z or to y. The norm is the adapter's own, that of the block's second half, or none.
 */
export interface AdapterSpec {
  readonly width: number
  readonly activation: Activation
  readonly norm: 'own' | 'second' | 'none'
  readonly residual: 'normed' | 'raw'
}

/** Whether its matrices have biases: all alike, or those that read the block and the one that writes. */
export type MlpBias = boolean | { readonly in: boolean; readonly out: boolean }

export interface FinalSpec {
  readonly norm: boolean
  /** Its kind, where it is not that of the blocks. */
  readonly own?: NormSpec
  /** Whether hidden state L is taken after the final norm (decoders, T5) or before it (ModernBERT). */
  readonly lastState: 'normed' | 'raw'
  /** Columns of the last state where it is projected once more (OPT-350m). */
  readonly project: number | undefined
}

/**
 * MobileBERT's block (Sun et al. 2020): x is narrowed to y = n(W x); attention and feed-forward networks run on y, all
 * post-norm, and their result is widened again: n(x + W y).
 */
export interface BottleneckSpec {
  /** Columns of y; undefined where y = x. */
  readonly width: number | undefined
  /** What queries and keys are made of: y, as values then are too, or another narrowing of x, values of x itself. */
  readonly attends: 'narrow' | 'shared'
  /** Feed-forward networks of a block, the last of which has `norm`. */
  readonly networks: number
  readonly activation: Activation
  readonly norm: NormSpec
}

export interface MixFactors {
  readonly stream: number
  readonly branch: number
}

/** What differs from block to block. */
export interface BlockSpec {
  /** Fills `{i}` and `{j}` in tensor names; blocks that share weights have equal indexes. */
  readonly i: number
  readonly j: number
  /** Fills `{p}`, where blocks of one kind lie in several places. */
  readonly part?: string | undefined
  /** Which round of shortening the block comes after, from 1; undefined where it has a row for every token. */
  readonly inside?: number | undefined
  /** Fills `{s}`: the block whose attention and MLP this one uses again, with branches of its own (Zamba). */
  readonly s?: number | undefined
  /** Whether the block's output counts as a hidden state. */
  readonly state: boolean
  /** Keys at distance `window` or more are not seen. */
  readonly window: number | undefined
  /** Only keys in the query's run of `chunk` tokens are seen. */
  readonly chunk?: number | undefined
  /** The same for keys after the query, where the two differ. */
  readonly ahead: number | undefined
  /** Index into the rotary tables; undefined where the block has no rotary positions. */
  readonly rotary: number | undefined
  /** Factor on query · key. */
  readonly scale: number
  readonly placement: NormPlacement
  /** Factor on both branches; the model's `residual` where undefined. */
  readonly branches?: number | undefined
  /** Factors on what goes into each half, and on what comes out, where norms are of the stream itself (MiniMax). */
  readonly mix?: { readonly first: MixFactors; readonly second: MixFactors } | undefined
  /** Factor on what the block gives (RWKV halves it every few blocks). */
  readonly output?: number | undefined
  /** False where the first norm is left out (ModernBERT's first block). */
  readonly firstNorm: boolean
  /** Index of an earlier block whose keys and values this one reads, having none of its own. */
  readonly keysOf?: number | undefined
  /** As the model's, unless blocks differ (hybrids of scans and attention, experts in some blocks only). */
  readonly attention: AttentionSpec
  readonly mlp: MlpSpec
  /**
   * Experts that read what the MLP reads, whose output waits until the block that takes it has ended (LongCat's shortcut).
   */
  readonly shortcut?: ExpertsSpec | 'taken' | undefined
  /**
   * Experts next to the MLP (Gemma 4): m = n(M(n2(x))) + n'(E(n''(x))). Their router reads the stream under a norm of
   * its own, over √width.
   */
  readonly mixture?: ExpertsSpec | undefined
  /** In the place of attention, or next to it where there is attention too: their outputs are added (Falcon H1). */
  readonly scan: MixerSpec | undefined
}

/** A head as a small program over the last state. */
export interface HeadSpec {
  /**
   * Every token, the first real one, the mean of real ones, the last whose id is not the pad id, or the first of the
   * rows that the last block inside leaves.
   */
  readonly from: 'tokens' | 'first' | 'mean' | 'last-not-pad' | 'first-inside'
  readonly steps: readonly HeadStep[]
}

export type HeadStep =
  | { readonly do: 'linear'; readonly slot: Slot; readonly out: number | 'labels'; readonly bias: boolean }
  | { readonly do: 'activation'; readonly activation: Activation }
  | { readonly do: 'norm'; readonly slot: Slot; readonly norm: NormSpec }
  /** From tokens to the text: the mean over real ones. */
  | { readonly do: 'mean' }
  /** Onto the vocabulary; where it is tied and not stored, by the token table. */
  | {
      readonly do: 'vocabulary'
      readonly slot: Slot
      readonly tied: boolean
      readonly bias: Slot | undefined
      /** [columns × vocabulary], for the columns beyond those of the table. */
      readonly rest?: { readonly slot: Slot; readonly columns: number } | undefined
    }
  | { readonly do: 'scale'; readonly by: number }
  | { readonly do: 'softcap'; readonly cap: number }
