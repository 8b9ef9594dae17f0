/** Which config of the data set a subset is read from, where it is not the one of its name. */
import { sides } from './pair.ts'
import type { StepKind } from './step.ts'

/**
 * The standard one for every subset, or that of the two languages with this one in front: `aai_Latn-eng_Latn` →
 * `eng-aai`.
 */
export type ConfigName = 'standard' | { readonly languagesWithFirst: string }

export const config: StepKind<ConfigName> = {
  before: (wanted) => wanted,
  apply: (splits) => splits,
  configRead(subset, spec) {
    if (spec === 'standard') return undefined
    const [first, second] = sides(subset, 'language')
    return second === spec.languagesWithFirst ? `${second}-${first}` : `${first}-${second}`
  },
}
