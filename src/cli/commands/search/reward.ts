/** The flags of a reward as its options. */
import type { RewardOptions } from '#experiment/search'
import type { Flags } from './flags.ts'

export function toReward({ reward: kind, clip, floor }: Pick<Flags, 'reward' | 'clip' | 'floor'>): RewardOptions {
  return { kind, clip: clip === 0 ? Infinity : clip, floor }
}
