/** What a graph takes in memory, for `--dry-run`: weights exactly, activations by a formula. */
import { elementCount, type TensorSource } from '#core'
import type { BlockSpec, MixerSpec, MlpSpec, ModelSpec } from '#model/architectures'
import { attendsByBlocks, usualBlock } from './block-plan.ts'
import { halfTypes } from './half-products.ts'
import { planGraph } from './plan.ts'
import type { GraphRequest } from './request.ts'

export interface MemoryPlanOptions {
  /** Padded tokens of the largest batch. */
  readonly batchTokens: number
  /**
   * Longest text of a batch; the scores of attention grow with it. Default: the model's maximum, at most `batchTokens`.
   */
  readonly cols?: number | undefined
  readonly request?: GraphRequest | undefined
}

export interface MemoryPlan {
  /**
   * Tensors the graph uses, as float32 where the engine widens them, as 16 bits or bytes where products are of these;
   * embedding tables as stored.
   */
  readonly weights: number
  readonly activations: number
  readonly total: number
}

const float = 4

/**
 * Arrays as large as the scores of one block that are alive at once: the scores and their softmax, and what positions
 * add.
 */
const scoreCopies: Readonly<Record<ModelSpec['attention']['positions']['kind'], number>> = {
  none: 2,
  rotary: 2,
  buckets: 3,
  alibi: 3,
  distance: 4,
  // Both sides, before and after they are skewed.
  disentangled: 8,
  'relative-sinusoids': 6,
}

/**
 * Bytes of weights and of activations at the budget. Activations of a batch of T tokens: the residual stream, a branch
 * and its norm, q, k, v and the joined heads (3 W + 4 N·D), the inner MLP twice (three times when gated), scores and
 * their softmax (2 N·cols, of one block of queries where texts are longer) with what positions add, all for one layer,
 * the largest, since the engine reuses buffers; plus every token state that leaves the graph and logits. A scan takes ten times its
 * inner width and, per text, three copies of its states.
 */
export function planMemory(
  spec: ModelSpec,
  tensors: TensorSource,
  { batchTokens, cols, request = { lastState: true } }: MemoryPlanOptions,
): MemoryPlan {
  const { used, outputs } = planGraph(spec, tensors, request)
  const wide = halfTypes.some((type) => type === request.products) ? 2 : float
  const weights = [...used.values()].reduce(
    (sum, { info, stored, widened, quantized }) =>
      sum +
      (stored ? info.byteLength : 0) +
      (widened ? elementCount(info.shape) * wide : 0) +
      (quantized ? elementCount(info.shape) : 0),
    0,
  )
  const longest = Math.min(cols ?? spec.maxTokens ?? batchTokens, batchTokens)
  const { blockScores = usualBlock } = request
  const scoresAlive = attendsByBlocks(spec, longest, blockScores)
    ? Math.max(blockScores, longest)
    : batchTokens * longest
  const ofBlock = (block: BlockSpec): number => {
    const { heads, positions } = block.attention
    return batchTokens * perToken(spec, block, longest) + scoreCopies[positions.kind] * heads * scoresAlive
  }
  const largest = spec.blocks.reduce((most, block) => Math.max(most, ofBlock(block)), batchTokens * 3 * spec.width)
  const leaving = outputs.reduce((sum, { width, per }) => sum + (per === 'token' ? width : 0), 0)
  const activations = (batchTokens * leaving + largest) * float
  return { weights, activations, total: weights + activations }
}

/** Numbers of a block's activations for each token, without scores. */
function perToken(spec: ModelSpec, { attention, mlp, mixture, scan }: BlockSpec, longest: number): number {
  const { along, state } = scan === undefined ? { along: 0, state: 0 } : mixerSizes(spec, scan)
  const inner = innerColumns(mlp) + (mixture === undefined ? 0 : innerColumns(mixture))
  return 3 * spec.width + 4 * attention.heads * attention.headWidth + inner + 10 * along + (3 * state) / longest
}

/** Columns of a token inside the MLP, or inside the experts that it uses. */
function innerColumns(mlp: MlpSpec): number {
  switch (mlp.kind) {
    case 'plain':
      return 2 * mlp.width
    case 'gated':
      return 3 * mlp.width
    case 'receptance':
      return 2 * mlp.width
    case 'experts':
      return 3 * (mlp.width * mlp.perToken + (mlp.shared?.width ?? 0))
    default:
      return mlp satisfies never
  }
}

/** Columns between a mixer's projections, and numbers of its state. */
function mixerSizes(spec: ModelSpec, mixer: MixerSpec): { readonly along: number; readonly state: number } {
  switch (mixer.kind) {
    case 'selective':
      return { along: mixer.width, state: mixer.states * mixer.width }
    case 'state-space-duality': {
      const { heads, headWidth, groups, states } = mixer
      return { along: heads * headWidth + 2 * groups * states, state: heads * headWidth * states }
    }
    case 'gated-delta': {
      const { keyHeads, heads, keyWidth, valueWidth } = mixer
      return { along: 2 * keyHeads * keyWidth + 2 * heads * valueWidth, state: heads * keyWidth * valueWidth }
    }
    case 'lightning':
      return { along: 4 * mixer.heads * mixer.headWidth, state: mixer.heads * mixer.headWidth ** 2 }
    case 'mlstm': {
      const { heads, keyWidth, valueWidth } = mixer
      return { along: 2 * heads * (keyWidth + valueWidth), state: heads * keyWidth * (valueWidth + 1) }
    }
    case 'gated-recurrence':
      return { along: mixer.width, state: mixer.width }
    case 'fourier':
      // What both halves of the transform make of x.
      return { along: 4 * spec.width, state: 0 }
    case 'weighted-average':
      return { along: mixer.width, state: 3 * mixer.width }
    case 'short-convolution':
      return { along: spec.width, state: 0 }
    default:
      return mixer satisfies never
  }
}
