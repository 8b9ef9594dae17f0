/**
 * `strata verify`: do finished results match the published ones? Every task next to its published score, with a
 * verdict.
 */
import { agrees, compareAll, oursListed } from '#result/statistics'
import { knownTasks } from '../../options/choose-tasks.ts'
import type { CommandRun } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { comparisonLines } from '../../lines/comparison-lines.ts'
import { chosenResults } from '../../options/chosen-results.ts'

export const run: CommandRun<Flags> = async (models, flags, terminal) => {
  const { against = 'published' } = flags
  const { listed, root } = await chosenResults([], {
    ...flags,
    status: 'ok',
    models: models.length === 0 ? undefined : models,
  })
  const ours = oursListed(root, listed)
  // published scores are of the model's own representation
  const own = ours.filter(({ place }) => against !== 'published' || place.representation === 'default')
  const compared = await compareAll(own, against, { root, interval: false })
  const known = await knownTasks()
  const verdicts = compared.map((one) => ({ ...one, agrees: agrees(known.get(one.task)?.type ?? '', one) }))
  const differing = verdicts.filter((one) => !one.agrees)
  if (flags.json === true) for (const one of verdicts) terminal.print(JSON.stringify(one))
  else {
    for (const line of comparisonLines(compared, against)) terminal.print(line)
    for (const { task, model } of differing) terminal.print(`differs  ${model} ${task}`)
    terminal.print(
      `${verdicts.length - differing.length} of ${verdicts.length} agree (within 0.2 points for classification, 1 for clustering, 0.05 otherwise)`,
    )
  }
  return verdicts.length === 0 || differing.length > 0 ? 1 : 0
}
