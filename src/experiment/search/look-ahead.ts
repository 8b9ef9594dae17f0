/** Predicts the checkpoint that a search needs next, to download it in the background. */
import { type Arm, type Chooser, toCost, type Pull } from './policy.ts'

export interface LookAhead {
  readonly arms: readonly Arm[]
  /** Name of the checkpoint that is pulled from now. */
  readonly present: string
  /** Pulls so far, and those that are certain to happen before the policy chooses. */
  readonly pulls: readonly Pull[]
  /** All of the tasks. */
  readonly tasks: readonly string[]
  /** Number of arms that may still be pulled after those. */
  readonly left: number
}

/**
 * The first other checkpoint that the chooser asks for if no pull until then has a reward, looking no further than the
 * arms of the present one. The chooser cannot be used afterwards: it has seen pulls that did not happen.
 */
export async function checkpointAfter(
  choose: Chooser,
  { arms, present, pulls, tasks, left }: LookAhead,
): Promise<string | undefined> {
  const assumed = [...pulls]
  const furthest = arms.filter(({ checkpoint }) => checkpoint === present).length
  let cost = 0
  for (let step = 0; step <= furthest; step++) {
    const ask = await choose([...assumed])
    const checkpoint = ask === undefined ? undefined : arms[ask.arm]?.checkpoint
    if (ask === undefined || checkpoint === undefined) return undefined
    cost += toCost(ask, tasks)
    if (cost > left + 1e-9) return undefined
    if (checkpoint !== present) return checkpoint
    assumed.push({ ...ask, tasks: ask.tasks ?? tasks, rewards: {} })
  }
  return undefined
}
