/** What carries a state along the text, resolved to the last number. */
import type { Activation } from './activation.ts'
import type { NormSpec } from './norm-spec.ts'

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
      /** After the convolution; the gate's is silu. */
      readonly activation: Activation
      /** Norm of step sizes before their projection, and of inputs and outputs of the state (Falcon Mamba, Jamba). */
      readonly norm: NormSpec | undefined
      /** Runs of columns whose step sizes, inputs and outputs are projected apart, and stored by run (Zamba). */
      readonly heads?: number | undefined
      /** Whether columns of input and gate alternate in the projection in. */
      readonly interleaved?: boolean
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
       * On the input; on gate, content, state inputs, state outputs and step sizes right after their projection; on the
       * output (Falcon H1).
       */
      readonly factors: { readonly in: number; readonly parts: readonly number[]; readonly out: number } | undefined
    }
  /**
   * The gated delta rule (Yang et al. 2025): `heads` matrices of `keyWidth` × `valueWidth`, written by `keyHeads` keys.
   * How its input projections lie: queries, keys and values in one (`qkv`), each by itself with a convolution of its
   * own (`each`), with gates, of each key head in turn its query, key, values and gates, and its shares and steps, or
   * all in one, gates, shares and steps last (`together`), apart as of `qkv` where the file has those.
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
      readonly layout: 'qkv' | 'each' | 'by-key-head' | 'together'
      readonly norm: GatedNorm
      /** Greatest share of a value that one token replaces: 2 allows negative eigenvalues. */
      readonly shareFactor: number
      /**
       * Where set, each column of a key decays by itself; decays and gates are projected by way of so few columns (Kimi
       * delta attention).
       */
      readonly narrow?: number | undefined
    }
  /**
   * Linear attention with a fixed decay per head (Qin et al. 2024): each head's queries, keys and values lie one after
   * the other in one projection, and go through the activation. A file's own `block.scan.decay`, −ln of the decays,
   * counts where it is there.
   */
  | {
      readonly kind: 'lightning'
      readonly heads: number
      readonly headWidth: number
      readonly activation: Activation
      /** −ln of each head's decay. */
      readonly slopes: readonly number[]
      /** The gate is a projection of its own. */
      readonly norm: GatedNorm
    }
  /**
   * mLSTM (Beck et al. 2024): a matrix for each head, with exponential gates of a token, both capped at
   * cap · tanh(x / cap), and a normaliser.
   */
  | {
      readonly kind: 'mlstm'
      readonly heads: number
      readonly keyWidth: number
      readonly valueWidth: number
      readonly cap: number
      /** Added to the normaliser. */
      readonly epsilon: number
      readonly norm: GatedNorm
    }
  /** RG-LRU (De et al. 2024): one number a channel, gated by `heads` blocks of channels. */
  | {
      readonly kind: 'gated-recurrence'
      readonly width: number
      readonly heads: number
      readonly kernel: number
      /** Activation of the gate on its output. */
      readonly activation: Activation
    }
  /** The real part of a Fourier transform over text and columns (FNet). */
  | { readonly kind: 'fourier' }
  /** Values averaged with weights that decay by channel (RWKV-4). */
  | { readonly kind: 'weighted-average'; readonly width: number }
  /** Only a convolution, between two gates (LFM2). */
  | { readonly kind: 'short-convolution'; readonly kernel: number; readonly bias: boolean }

/** An RMS norm over each of `groups` runs of columns, and a gate before or after it. */
export interface GatedNorm {
  readonly norm: NormSpec
  readonly groups: number
  readonly order: 'gate-first' | 'norm-first'
  /** Activation of the gate. */
  readonly activation: Activation
  /** Whether groups have weights of their own or share one set. */
  readonly weightPer: 'column' | 'group'
}
