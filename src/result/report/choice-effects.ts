/** Whether mixing layers pays: the mix that validation chose against the layer that validation chose. */
import { type Differences, differences } from '#result/statistics'
import type { ReportTask } from './collect.ts'
import { chosenLayer, chosenMix } from './combined-rows.ts'
import type { Scored } from './draft.ts'

export interface ChoiceEffect extends Differences {
  /** Names of the two rows. Neither was chosen by the scores that are compared. */
  readonly mix: string
  readonly layer: string
}

interface EffectOptions {
  readonly tasks: readonly ReportTask[]
  readonly draws?: number | undefined
  readonly seed?: number | undefined
}

/** One per model, revision and settings that have both rows. */
export async function choiceEffects(rows: readonly Scored[], options: EffectOptions): Promise<ChoiceEffect[]> {
  const found: ChoiceEffect[] = []
  for (const mix of rows.filter(({ representation }) => representation.startsWith(chosenMix))) {
    const representation = chosenLayer + mix.representation.slice(chosenMix.length)
    const layer = rows.find(
      (row) => row.model === mix.model && row.revision === mix.revision && row.representation === representation,
    )
    if (layer === undefined) continue
    found.push({ mix: mix.name, layer: layer.name, ...(await differences([mix], () => layer, options)) })
  }
  return found
}
