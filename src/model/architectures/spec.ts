/**
 * What a model computes, resolved to the last number: the one thing the graph builder reads. Unions are closed; no
 * field names a family.
 */
import type { Activation } from './activation.ts'

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
  /** Where set, a block reads an encoder's states between attention and MLP: x = x + C(n(x), states). */
  readonly cross: CrossSpec | undefined
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
 * Of each token, `width` columns per block: those of a table with `rows` rows (later ids read row 0), times √width, plus
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

export interface NormSpec {
  readonly kind: 'layer' | 'rms'
  readonly epsilon: number
  /** `plus-one` multiplies by 1 + weight (Gemma); `none` has no parameters. */
  readonly weight: 'plain' | 'plus-one' | 'none'
  readonly bias: boolean
}

/**
 * Where a block's norms stand.
 * `after-add`   x = n1(x + A(x)); x = n2(x + M(x))                      (post-norm: BERT)
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
  /** Of the token's row, before types and positions are added. */
  readonly multiplier: number
  /** A token whose vector is one of its own, `embed.replaced`, which is not multiplied. */
  readonly replaced?: number | undefined
  /**
   * From the table's width to the model's: after the norm (ALBERT, ELECTRA), right before it (DeBERTa-v2) or before
   * positions are added (OPT).
   */
  readonly project:
    | { readonly place: 'after-norm' | 'before-norm' | 'before-positions'; readonly bias: boolean }
    | undefined
}

/**
 * A table of positions that is added to the embeddings, learned or – where the file holds none – computed. Without explicit positions a token's row is
 * `columns`  its column + offset;
 * `ids`      padId + the number of tokens up to it whose id is not `padId`, and `padId` for pads (RoBERTa);
 * `mask`     offset − 1 + the number of unmasked tokens up to it, and offset − 1 for masked ones (OPT).
 * Explicit positions p use row p + offset, row p for `ids`.
 */
export type LearnedPositions = { readonly rows: number; readonly sinusoids?: Sinusoids | undefined } & (
  | { readonly from: 'columns'; readonly offset?: number }
  | { readonly from: 'ids'; readonly padId: number }
  | { readonly from: 'mask'; readonly offset: number }
)

/**
 * Row p is [sin(p · f) | cos(p · f)] with f(k) = 10,000^(−k / `spacing`) for k < width / 2: spacing width / 2 (Vaswani et
 * al. 2017) or width / 2 − 1 (tensor2tensor). Row `zero` is all zeros.
 */
export type Sinusoids = { readonly spacing: number; readonly zero: number | undefined }

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
   * How query, key and value lie in the file: three matrices, or one:
   * `qkv`          [all q | all k | all v];
   * `qkv-by-head`  of each key head in turn: its queries, the key, the value;
   * `qvk-by-quarter`  of each quarter of the columns in turn: queries, values, keys (CodeGen).
   */
  readonly layout: 'separate' | 'qkv' | 'qkv-by-head' | 'qvk-by-quarter'
  readonly bias: { readonly qkv: boolean; readonly out: boolean }
  /** Queries, keys and values are clipped to ± this as they are projected. */
  readonly clip: number | undefined
  readonly queryKeyNorm: QueryKeyNorm | undefined
  /** c · tanh(score / c) before the mask. */
  readonly softcap: number | undefined
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
  /** Of every head's values. */
  readonly valueNorm?: NormSpec | undefined
  /** Values are the projected keys, before their norm and rotation. */
  readonly values?: 'keys' | undefined
  /** Keys have a bias made from their values (Doge). */
  readonly dynamicMask?: DynamicMask | undefined
  /** Norm of the joined heads before they are projected out (BitNet). */
  readonly outNorm?: NormSpec | undefined
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
  | { readonly kind: 'rotary'; readonly tables: readonly Rotary[] }
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
      readonly span: number
      readonly maxDistance: number
      readonly logarithmic: boolean
      readonly norm: NormSpec | undefined
    }
  /**
   * factor · slope of the head · position of the key (Press et al. 2022); with every product rounded, as it was in
   * training, or not.
   */
  | { readonly kind: 'alibi'; readonly factor: number; readonly rounding: 'none' | 'bfloat16' }
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

export interface Rotary {
  /** Leading columns of each head that are rotated; even. */
  readonly width: number
  readonly base: number
  /** Pairs are (2i, 2i + 1) when interleaved, otherwise (i, i + width / 2). */
  readonly interleaved: boolean
  /** True where the angle is turned the other way (nanochat). */
  readonly reversed?: boolean
  /** Factor on cos and sin. */
  readonly magnitude: number
  readonly scaling: RotaryScaling
}

/**
 * How frequencies are stretched beyond the trained length; names and formulas are those of transformers'
 * `ROPE_INIT_FUNCTIONS`.
 */
export type RotaryScaling =
  | { readonly kind: 'default' }
  | { readonly kind: 'linear'; readonly factor: number }
  /** The base grows with the longest position of the batch once that exceeds `trainedLength`. */
  | { readonly kind: 'dynamic'; readonly factor: number; readonly trainedLength: number }
  | {
      readonly kind: 'yarn'
      readonly factor: number
      readonly trainedLength: number
      readonly betaFast: number
      readonly betaSlow: number
      readonly truncate: boolean
    }
  | {
      readonly kind: 'llama3'
      readonly factor: number
      readonly trainedLength: number
      readonly low: number
      readonly high: number
    }
  /** One divisor per frequency: `long` when the longest position of the batch exceeds `trainedLength`. */
  | {
      readonly kind: 'longrope'
      readonly trainedLength: number
      readonly short: readonly number[]
      readonly long: readonly number[]
    }
  /** The first `pairs` pairs turn as those of a whole head, the others not at all. */
  | { readonly kind: 'proportional'; readonly factor: number; readonly pairs: number }

/**
 * `gated`: activation(first) ⊙ second, from two matrices, or from the halves of one.
 * `experts`: gated, from two matrices, once per expert; each token takes the `perToken` highest values of its router
 * softmax, scaled to sum to 1.
 */
export type MlpSpec =
  | {
      readonly kind: 'plain'
      /** `xielu` has parameters of its own in every block (Huang et al. 2024). */
      readonly activation: Activation | 'xielu'
      readonly width: number
      readonly bias: boolean
    }
  | {
      readonly kind: 'gated'
      readonly activation: Activation
      readonly width: number
      readonly bias: boolean
      readonly layout: 'separate' | 'halves'
      /** On the gate before its activation, and on what comes out (Falcon H1). */
      readonly factors?: { readonly gate: number; readonly out: number }
      /** Norm before the projection out (BitNet). */
      readonly innerNorm?: NormSpec | undefined
      /** Of the first, only what exceeds mean + this · standard deviation remains (Gemma 3n). */
      readonly cutoff?: number | undefined
    }
  | {
      readonly kind: 'experts'
      readonly activation: Activation
      readonly width: number
      readonly bias: false
      readonly experts: number
      readonly perToken: number
    }

/** What carries a state along the text. `kernel` is the width of a causal convolution by channel before it. */
export type MixerSpec =
  /** A selective state space (Gu & Dao 2023): a recurrence over `states` numbers a channel. */
  | {
      readonly kind: 'selective'
      /** Columns between the projections. */
      readonly width: number
      readonly states: number
      /** Columns from which step sizes are projected. */
      readonly rank: number
      readonly kernel: number
      readonly kernelBias: boolean
      /** Whether the projections in and out have biases. */
      readonly bias: boolean
      readonly activation: Activation
      /** Of step sizes before their projection, of what is written and what is read (Falcon Mamba, Jamba). */
      readonly norm: NormSpec | undefined
    }
  /**
   * State space duality (Dao & Gu 2024): each head has a decay and a matrix of `states` × `headWidth`; `groups` of heads
   * write and read alike.
   */
  | {
      readonly kind: 'state-space-duality'
      readonly heads: number
      readonly headWidth: number
      readonly groups: number
      readonly states: number
      readonly kernel: number
      readonly kernelBias: boolean
      readonly bias: { readonly in: boolean; readonly out: boolean }
      readonly activation: Activation
      /** Bounds of step sizes; undefined: none above. */
      readonly limits: { readonly least: number; readonly most: number | undefined }
      /** Undefined: only gated. */
      readonly norm: GatedNorm | undefined
      /**
       * On what goes in, on each of gate, input, what is written, what is read and step sizes right after their
       * projection, and on what comes out (Falcon H1).
       */
      readonly factors: { readonly in: number; readonly parts: readonly number[]; readonly out: number } | undefined
    }
  /**
   * The gated delta rule (Yang et al. 2025): `heads` matrices of `keyWidth` × `valueWidth`, written by `keyHeads` keys.
   * How its input projections lie: queries, keys and values in one (`qkv`), each by itself with a convolution of its
   * own (`each`), or with gates, of each key head in turn its query, key, values and gates, and its shares and steps.
   */
  | {
      readonly kind: 'gated-delta'
      readonly keyHeads: number
      readonly heads: number
      readonly keyWidth: number
      readonly valueWidth: number
      readonly kernel: number
      /** After the convolution. */
      readonly activation: Activation
      readonly layout: 'qkv' | 'each' | 'by-key-head'
      readonly norm: GatedNorm
      /** Greatest share of a value that one token replaces: 2 allows negative eigenvalues. */
      readonly shareFactor: number
    }
  /** RG-LRU (De et al. 2024): one number a channel, gated by `heads` blocks of channels. */
  | {
      readonly kind: 'gated-recurrence'
      readonly width: number
      readonly heads: number
      readonly kernel: number
      /** Of the gate on its output. */
      readonly activation: Activation
    }
  /** Only a convolution, between two gates (LFM2). */
  | { readonly kind: 'short-convolution'; readonly kernel: number; readonly bias: boolean }

/** An RMS norm over each of `groups` runs of columns, and a gate before or after it. */
export interface GatedNorm {
  readonly norm: NormSpec
  readonly groups: number
  readonly order: 'gate-first' | 'norm-first'
  /** Of the gate. */
  readonly activation: Activation
  /** Whether groups have weights of their own or share one set. */
  readonly weightPer: 'column' | 'group'
}

export interface FinalSpec {
  readonly norm: boolean
  /** Whether hidden state L is taken after the final norm (decoders, T5) or before it (ModernBERT). */
  readonly lastState: 'normed' | 'raw'
  /** Columns of the last state where it is projected once more (OPT-350m). */
  readonly project: number | undefined
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
  /** The same for keys after the query, where the two differ. */
  readonly ahead: number | undefined
  /** Index into the rotary tables; undefined where the block has no rotary positions. */
  readonly rotary: number | undefined
  /** Factor on query · key. */
  readonly scale: number
  readonly placement: NormPlacement
  /** False where the first norm is left out (ModernBERT's first block). */
  readonly firstNorm: boolean
  /** Index of an earlier block whose keys and values this one reads, having none of its own. */
  readonly keysOf?: number | undefined
  /** As the model's, unless blocks differ (hybrids of scans and attention, experts in some blocks only). */
  readonly attention: AttentionSpec
  readonly mlp: MlpSpec
  /** In the place of attention, or beside it where there is attention too: their outputs are added (Falcon H1). */
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
  /** Onto the vocabulary; where it is tied and not stored, by the token table. */
  | { readonly do: 'vocabulary'; readonly slot: Slot; readonly tied: boolean; readonly bias: Slot | undefined }
  | { readonly do: 'scale'; readonly by: number }
  | { readonly do: 'softcap'; readonly cap: number }

/** What a tensor is for. */
export type Slot =
  | 'embed.token'
  | 'embed.replaced'
  | 'embed.position'
  | 'embed.type'
  | 'embed.norm'
  | 'embed.project'
  | 'embed.layers'
  | 'embed.layers.project'
  | 'embed.layers.norm'
  | 'embed.streams'
  | 'final.streams'
  | 'relative.bias'
  | 'relative.table'
  | 'relative.norm'
  | 'convolution'
  | 'convolution.norm'
  | 'block.norm1'
  | 'block.norm1.after'
  | 'block.norm2'
  | 'block.norm2.after'
  | 'block.attention.q'
  | 'block.attention.k'
  | 'block.attention.v'
  | 'block.attention.qkv'
  | 'block.attention.out'
  | 'block.attention.q.norm'
  | 'block.attention.k.norm'
  | 'block.attention.out.norm'
  | 'block.attention.sinks'
  | 'block.attention.lambda.q1'
  | 'block.attention.lambda.k1'
  | 'block.attention.lambda.q2'
  | 'block.attention.lambda.k2'
  | 'block.attention.mask.decay'
  | 'block.attention.mask.project'
  | 'block.attention.distance'
  | 'block.attention.position.q'
  | 'block.attention.position.k'
  | 'block.cross.norm'
  | 'block.cross.q'
  | 'block.cross.k'
  | 'block.cross.v'
  | 'block.cross.out'
  | 'block.scan.in'
  | 'block.scan.convolution'
  | 'block.scan.select'
  | 'block.scan.step'
  | 'block.scan.decay'
  | 'block.scan.gate'
  | 'block.scan.q'
  | 'block.scan.k'
  | 'block.scan.v'
  | 'block.scan.convolution.q'
  | 'block.scan.convolution.k'
  | 'block.scan.convolution.v'
  | 'block.scan.share'
  | 'block.scan.write'
  | 'block.scan.write.bias'
  | 'block.scan.select.bias'
  | 'block.scan.skip'
  | 'block.scan.norm'
  | 'block.scan.step.norm'
  | 'block.scan.write.norm'
  | 'block.scan.read.norm'
  | 'block.scan.out'
  | 'block.mlp.router'
  | 'block.mlp.in'
  | 'block.mlp.gate'
  | 'block.mlp.up'
  | 'block.mlp.out'
  | 'block.mlp.out.norm'
  | 'block.mlp.activation.positive'
  | 'block.mlp.activation.negative'
  | 'block.mlp.activation.linear'
  | 'block.mlp.activation.limit'
  | 'block.layers.gate'
  | 'block.layers.project'
  | 'block.layers.norm'
  | 'block.streams.norm'
  | 'block.streams.route'
  | 'block.streams.predict'
  | 'block.streams.correct'
  | 'block.streams.scale'
  | 'block.laurel.down'
  | 'block.laurel.up'
  | 'block.laurel.norm'
  | 'block.scale'
  | 'block.stream1'
  | 'block.stream2'
  | 'final.norm'
  | 'final.project'
  | 'pooler'
  | 'head.causal'
  | 'head.causal.bias'
  | 'head.masked.dense'
  | 'head.masked.norm'
  | 'head.masked.decoder'
  | 'head.masked.bias'
  | 'head.sequence.dense'
  | 'head.sequence.norm'
  | 'head.sequence.out'

/**
 * Tensor names by slot, the first that exists counts. `name.*` stands for `name.weight` and `name.bias`, `name_*` for
 * `name_weight` and `name_bias`; `{i}`, `{j}` are the block's indexes,
 * `{h}` a head, `{e}` an expert. Names stand under the model's prefix, except those in `outside`.
 */
export type SlotNames = Readonly<
  Partial<Record<Slot, string | readonly string[] | { readonly outside: string | readonly string[] }>>
>

export interface TensorNames {
  /** Prefixes checkpoints of this family use, the usual first. Others are found by the token table's name. */
  readonly prefixes: readonly string[]
  /** Where names outside the prefix stand in a model of several towers. */
  readonly outside?: readonly string[] | undefined
  readonly slots: SlotNames
  /** `out-in` is a Linear layer, [out, in]; `in-out` GPT-2's Conv1D. Heads are always `out-in`. */
  readonly linear: 'out-in' | 'in-out'
}
