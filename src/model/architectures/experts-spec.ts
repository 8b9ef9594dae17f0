/** Mixtures of experts: which experts compute a token, what one computes, and what all tokens share. */
import type { Activation } from './activation.ts'
import type { NormSpec } from './norm-spec.ts'

/**
 * `experts` MLPs, gated unless `plain`, of which each token uses `perToken`: Σ share · expert(x), and what every token gets of `shared`.
 */
export interface ExpertsSpec {
  readonly kind: 'experts'
  readonly activation: Activation
  /** Columns inside one expert. */
  readonly width: number
  /** Whether the projections of experts have biases. */
  readonly bias: boolean
  readonly experts: number
  readonly perToken: number
  readonly routing: RoutingSpec
  readonly clip: ClipSpec | undefined
  /** Choices after the experts that have no weights (LongCat): the token itself, or nothing. */
  readonly idle: { readonly count: number; readonly give: 'input' | 'nothing' } | undefined
  readonly shared: SharedSpec | undefined
  /** Norm of routed and shared experts together (A.X K1). */
  readonly outNorm?: NormSpec | undefined
  /** Experts, the shared one too, are activation(x · up) · out (Nemotron-H). */
  readonly plain?: boolean
  /** Routed experts compute on fewer columns, which x is projected to and their sum back from (Nemotron-H). */
  readonly latent?: { readonly width: number; readonly bias: boolean } | undefined
  /** Whether a bias is added to what the experts of a token give together (JetMoe). */
  readonly mixedBias?: boolean
  readonly stacked: StackedSpec
}

export type RoutingSpec = TopRouting | SparseMixer

/** The highest scores choose, and are the shares. */
export interface TopRouting {
  readonly kind: 'top'
  /** Function of the router's logits, over all experts. The softmax of the chosen alone is `softmax`, `normalized` to 1. */
  readonly scores: 'softmax' | 'sigmoid' | 'sqrt-softplus'
  /** c · tanh(logit / c) before the scores. */
  readonly softcap?: number | undefined
  /** Whether the router's projection has a bias. */
  readonly bias: boolean
  /** Whether a number per expert is added to scores for the choice alone (DeepSeek-V3). */
  readonly correction: boolean | 'if-stored'
  /** What the correction is added to, where it is not the scores (Kolibri). */
  readonly chosenBy?: 'logits'
  /** Only experts of the best groups may be chosen (DeepSeek-V2); a group counts as its best, or its best two. */
  readonly groups: { readonly count: number; readonly chosen: number; readonly by: 'best' | 'best-two' } | undefined
  /** Shares of the chosen are divided by their norm of this order; 1 makes them sum to 1. */
  readonly normalized: number | undefined
  /** Added to their sum before they are divided by it (LFM2). */
  readonly past?: number
  /** Whether shares are multiplied by a learned number of their expert. */
  readonly perExpert?: boolean
  /** The router is a network of `width` columns; where it carries, the columns of the router before are added (ZAYA). */
  readonly network?: { readonly width: number; readonly norm: NormSpec; readonly carries: boolean } | undefined
  /** Factor on all shares. */
  readonly scaling: number
  /** Whether shares multiply what an expert computes, or what it computes from (Llama 4). */
  readonly weigh: 'outputs' | 'inputs'
}

/**
 * Two experts, one after the other, each by the softmax over those near the best that are left: within 2 · `jitter` of
 * it, relative to the greater magnitude (Liu et al. 2024, GRIN).
 */
export interface SparseMixer {
  readonly kind: 'sparse-mixer'
  readonly jitter: number
}

/** f(min(gate, limit)) ⊙ (clip(up, ±limit) + shift) with f(x) = x · σ(steepness · x). */
export interface ClipSpec {
  readonly limit: number
  readonly steepness: number
  readonly shift: number
}

/** A gated MLP that every token passes; times σ(x · w) when `gated`. */
export interface SharedSpec {
  readonly width: number
  readonly bias: boolean
  readonly layout: 'separate' | 'halves'
  readonly gated: boolean
  /** Whether routed and shared experts are added, or averaged (Cohere 2). */
  readonly joined: 'sum' | 'mean'
}

/** How the matrices of all experts lie in one tensor, where they do: [expert, out, in], or [expert, in, out]. */
export interface StackedSpec {
  readonly in: 'out-in' | 'in-out'
  readonly out: 'out-in' | 'in-out'
  /** Whether columns of gate and up alternate; otherwise gate stands before up. */
  readonly interleaved: boolean
}
