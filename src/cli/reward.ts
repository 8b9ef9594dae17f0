/** The flags of a reward as its options. */
import type { RewardOptions } from '#experiment/search'
import type { FlagsOf } from './commands.ts'

export function rewardOf({
  reward: kind,
  clip,
  floor,
}: Pick<FlagsOf<'search'>, 'reward' | 'clip' | 'floor'>): RewardOptions {
  return { kind, clip: clip === 0 ? Infinity : clip, floor }
}
