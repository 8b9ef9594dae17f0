/**
 * What a model computes, resolved to the last number: the one thing the graph builder reads. Unions are closed; no
 * field names a family.
 */
import type { Activation } from './activation.ts'
import type { ExpertsSpec } from './experts-spec.ts'
import type { LatentSpec, OutGate } from './latent-spec.ts'
import type { MixerSpec } from './mixer-spec.ts'
import type { NormSpec } from './norm-spec.ts'
import type { LearnedPositions, Rotary } from './position-spec.ts'
import type { Slot, TensorNames } from './slots.ts'

export type { NormSpec } from './norm-spec.ts'
export type { LearnedPositions, Rotary, RotaryScaling, Sinusoids } from './position-spec.ts'
export type { Slot, SlotNames, TensorNames } from './slots.ts'

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
  /** Of most blocks; what a block has of its own, it says itself. No heads: no attention; no columns: no MLP. */
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
  /** Every block adds a vector that it makes of the token itself (Gemma 3n). */
  readonly layerInputs?: LayerInputs | undefined
  /** The stream is several, of which a block reads and writes one (Gemma 3n). */
  readonly streams?: StreamsSpec | undefined
  /** Rank of a second branch next to attention: x + norm(x · A · B) (LAuReL: Menghani et al. 2024). */
  readonly laurel?: number | undefined
  /** What a block leaves is multiplied by one learned number (Gemma 4). */
  readonly blockScale?: boolean
  readonly final: FinalSpec
  readonly blocks: readonly BlockSpec[]
  /**
   * What the reference's `hidden_states` lists: the embedding output, then blocks, or blocks and the last state after
   * the final norm (Mamba).
   */
  readonly stateNames: 'embeddings-first' | 'blocks-only'
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

export interface EmbeddingSpec {
  /** Rows of the token table: the vocabulary, or more. */
  readonly rows: number
  /** Columns of the token table. */
  readonly width: number
  /** Rows of the token-type table, 0 when there is none. */
  readonly tokenTypes: number
  readonly positions: LearnedPositions | undefined
  readonly norm: NormSpec | undefined
  /** True where positions are added after the norm. */
  readonly normFirst?: boolean | undefined
  /** Factor on the token's row, before types and positions are added. */
  readonly multiplier: number
  /** Rows of further tables that every token of a bare text gets: of boxes, tasks and cells the first. */
  readonly fixed: readonly FixedRow[]
  /** Ids of `maskId` count as zeros, and the others are scaled by (1 − share) / (1 − their share of the text) (ESM). */
  readonly tokenDropout: { readonly maskId: number; readonly share: number } | undefined
  /** The vectors of the tokens after and before stand next to a token's, [next | own | previous] (MobileBERT). */
  readonly neighbours?: boolean | undefined
  /** A token whose vector is one of its own, `embed.replaced`, which is not multiplied. */
  readonly replaced?: number | undefined
  /**
   * From the table's width to the model's: after the norm (ALBERT, ELECTRA), right before it (DeBERTa-v2) or before
   * positions are added (OPT).
   */
  readonly project:
    | {
        readonly place: 'after-norm' | 'before-norm' | 'before-positions'
        readonly bias: boolean
        /** Rows that stand after the token's own columns, before positions (RoCBERT). */
        readonly beside?: readonly FixedRow[]
      }
    | undefined
}

/** Row 0 of a table [rows × width], the embedding's width unless said otherwise; `times` where it is added again. */
export interface FixedRow {
  readonly slot: Slot
  readonly j?: number
  readonly rows: number
  readonly width?: number
  readonly times?: number
}

/** norm(block output + activation(convolution of hidden state 0 along the text)), an odd `kernel` wide (DeBERTa-v2). */
export interface ConvolutionSpec {
  readonly kernel: number
  readonly groups: number
  readonly activation: Activation
}

export interface AttentionSpec {
  readonly heads: number
  readonly keyHeads: number
  readonly headWidth: number
  /**
   * How query, key and value lie in the file: three matrices, or one (and three where the file has those):
   * `qkv`          [all q | all k | all v];
   * `qkv-by-head`  of each key head in turn: its queries, the key, the value;
   * `separate-by-head`  three tensors [columns × heads × head width], and one of what comes out (XLNet);
   * `qvk-by-quarter`  of each quarter of the columns in turn: queries, values, keys (CodeGen).
   */
  readonly layout: 'separate' | 'qkv' | 'qkv-by-head' | 'qvk-by-quarter' | 'separate-by-head'
  readonly bias: { readonly qkv: boolean; readonly out: boolean }
  /** Parts that have a bias of their own next to a matrix of all three (DeBERTa). */
  readonly partBias?: readonly ('q' | 'v')[] | undefined
  /** Projections that mix the columns of a group alone (SqueezeBERT). */
  readonly groups?: { readonly q: number; readonly k: number; readonly v: number; readonly out: number } | undefined
  /** Half of what the block attends with is a convolution along the text (ConvBERT). */
  readonly convolution?: AttentionConvolution | undefined
  readonly queryKeyNorm: QueryKeyNorm | undefined
  /** c · tanh(score / c) before the mask. */
  readonly softcap: number | undefined
  /** Queries, keys and values are cut off at ±clip, after the norms of queries and keys. */
  readonly clip: number | undefined
  /** Columns of a head's values, where they are not as many as those of its keys. */
  readonly valueWidth?: number | undefined
  /** Factor on values. */
  readonly valueScale?: number | undefined
  /** Queries, keys and values are made from fewer columns; `bias.qkv` is that of the projections to these. */
  readonly latent?: LatentSpec | undefined
  /** What heads mixed is multiplied by an activation of a projection of x before it is projected out. */
  readonly outGate?: OutGate | undefined
  /**
   * Joined heads are multiplied by the sigmoid of a gate; `beside-queries`: each head's columns follow its query's in one
   * projection (Qwen3-Next).
   */
  readonly gate: 'beside-queries' | undefined
  /** On what goes in and what comes out (Falcon H1). */
  readonly factors: { readonly in: number; readonly out: number } | undefined
  readonly positions: AttendedPositions
  /** Queries grow with their position (Llama 4). */
  readonly temperature?: QueryTemperature | undefined
  /** Every head has one more score, learned, that takes part in the softmax and has no value (gpt-oss). */
  readonly sinks?: boolean
  /** Two softmaxes, of which one is subtracted from the other (Ye et al. 2024). */
  readonly differential?: DifferentialAttention | undefined
  /** Norm of every head's values. */
  readonly valueNorm?: NormSpec | undefined
  /** Values are the projected keys, before their norm and rotation. */
  readonly values?: 'keys' | undefined
  /** Keys have a bias made from their values (Doge). */
  readonly dynamicMask?: DynamicMask | undefined
  /** Norm of the joined heads before they are projected out (BitNet). */
  readonly outNorm?: NormSpec | undefined
}

/**
 * Along the text, over an odd number of tokens around each:
 * `dynamic`   next to the heads, as many columns of values mixed with shares that each token's query and its
 * surroundings decide (Jiang et al. 2020);
 * `per-head`  of a head's values, with one kernel for all its columns, added to what it attends to (Xiong et al. 2021).
 */
export interface AttentionConvolution {
  readonly kind: 'dynamic' | 'per-head'
  readonly kernel: number
}

/**
 * Norm of queries and keys: one for every head alike, one for each head (a tensor per head, or all of them stacked as
 * [heads × head width]), or one over all heads at once.
 */
export interface QueryKeyNorm {
  readonly over: 'head' | 'each-head' | 'stacked-heads' | 'all-heads'
  readonly norm: NormSpec
  /** Before the rotation unless said otherwise. */
  readonly place?: 'after-rotary'
}

/** A query at position p is multiplied by 1 + `strength` · ln(1 + ⌊(p + `offset`) / `length`⌋). */
export interface QueryTemperature {
  readonly strength: number
  readonly length: number
  readonly offset: 0 | 1
  /** Whether the column counts, whatever positions the caller gives (Llama 4). */
  readonly byColumn?: boolean
}

/**
 * Heads of the first half minus λ times those of the second, each over the values of both halves, normed without a
 * weight and multiplied by 1 − `start`; λ = exp(q₁ · k₁) − exp(q₂ · k₂) + `start` of learned vectors.
 */
export interface DifferentialAttention {
  readonly start: number
  readonly norm: NormSpec
}

/**
 * exp(a · softplus(projected values)) is added to the scores of a key, per key head; where a query sees more keys than
 * `keep`, those with the greatest bias remain.
 */
export interface DynamicMask {
  readonly keep: number
  readonly bias: boolean
}

/** How attention knows where tokens stand. */
export type AttendedPositions =
  | { readonly kind: 'none' }
  /** `values`: they are rotated as queries and keys are. */
  | { readonly kind: 'rotary'; readonly tables: readonly Rotary[]; readonly values?: boolean | undefined }
  /**
   * A learned bias per head and bucket of distance, one table of `rows` buckets for all layers (T5, MPNet) or one for
   * each block (UMT5); causal models put all buckets behind the query.
   */
  | {
      readonly kind: 'buckets'
      readonly buckets: number
      readonly maxDistance: number
      readonly rows: number
      readonly perBlock?: boolean | undefined
    }
  /**
   * `keys`: queries meet keys made from a table of 2 · `span` relative positions; `queries`: keys meet queries made
   * from it; by the projections of content when `shared`, by their own otherwise (He et al. 2021). Distances are
   * clipped to the table or, when `logarithmic`, put into buckets up to `maxDistance`.
   */
  | {
      readonly kind: 'disentangled'
      readonly keys: boolean
      readonly queries: boolean
      readonly shared: boolean
      /** False where keys made from the table have no bias (DeBERTa's first version). */
      readonly keyBias?: boolean | undefined
      readonly span: number
      readonly maxDistance: number
      readonly logarithmic: boolean
      readonly norm: NormSpec | undefined
    }
  /**
   * factor · slope of the head · position of the key (Press et al. 2022), or −slope · distance of query and key where
   * `symmetric`; with every product rounded, as it was in training, or not.
   */
  | {
      readonly kind: 'alibi'
      readonly factor: number
      readonly rounding: 'none' | 'bfloat16'
      readonly symmetric?: true
    }
  /**
   * Keys made of sinusoids of distances, up to `clamp`, and learned biases of queries that meet keys, distances and types
   * of tokens (Transformer-XL, XLNet).
   */
  | { readonly kind: 'relative-sinusoids'; readonly clamp: number | undefined }
  /**
   * A learned vector per distance, dotted with the query, or with query and key (Shaw et al. 2018; Huang et al. 2020).
   */
  | { readonly kind: 'distance'; readonly with: 'query' | 'query-and-key'; readonly maxPositions: number }

/** Attention of a decoder to the states of an encoder: no positions, no biases, scores scaled as the block's own. */
export interface CrossSpec {
  /** Columns of the encoder's states. */
  readonly width: number
  readonly heads: number
  readonly headWidth: number
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

/** What differs from block to block. */
export interface BlockSpec {
  /** Fills `{i}` and `{j}` in tensor names; blocks that share weights have equal indexes. */
  readonly i: number
  readonly j: number
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
  /** Factor on what the block gives (RWKV halves it every few blocks). */
  readonly output?: number | undefined
  /** False where the first norm is left out (ModernBERT's first block). */
  readonly firstNorm: boolean
  /** Index of an earlier block whose keys and values this one reads, having none of its own. */
  readonly keysOf?: number | undefined
  /** As the model's, unless blocks differ (hybrids of scans and attention, experts in some blocks only). */
  readonly attention: AttentionSpec
  readonly mlp: MlpSpec
  /** In the place of attention, or next to it where there is attention too: their outputs are added (Falcon H1). */
  readonly scan: MixerSpec | undefined
}

/** A head as a small program over the last state. */
export interface HeadSpec {
  /** Every token, the first real one, the mean of real ones, or the last whose id is not the pad id. */
  readonly from: 'tokens' | 'first' | 'mean' | 'last-not-pad'
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
