/** Models whose blocks carry a state along the text, and blocks that lack a half. */
import type { AttentionSpec, MlpSpec, ModelSpec } from './spec.ts'

/** Whether any block carries a state: texts then pass in rows of their own, and pads must be known. */
export function recurs({ blocks }: Pick<ModelSpec, 'blocks'>): boolean {
  return blocks.some(({ scan }) => scan !== undefined)
}

/** Attention of blocks without any. */
export const noAttention = {
  heads: 0,
  keyHeads: 0,
  headWidth: 0,
  layout: 'separate',
  bias: { qkv: false, out: false },
  queryKeyNorm: undefined,
  softcap: undefined,
  clip: undefined,
  gate: undefined,
  factors: undefined,
  positions: { kind: 'none' },
} as const satisfies AttentionSpec

/** MLP of blocks without one. */
export const noMlp = { kind: 'plain', activation: 'linear', width: 0, bias: false } as const satisfies MlpSpec
