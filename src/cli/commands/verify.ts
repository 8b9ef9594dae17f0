/** `strata verify`: are finished results what was published? Every task beside its published score, with a verdict. */
import { findTasks } from '#task/registry'
import { agrees, compareAll, comparisonLines } from '../against.ts'
import type { CommandRun } from '../commands.ts'
import { chosenResults } from './results.ts'

export const run: CommandRun<'verify'> = async (models, flags, terminal) => {
  const { against = 'published' } = flags
  const { listed, root } = await chosenResults([], { ...flags, status: 'ok', models: models.length === 0 ? undefined : models })
  const ours = listed.flatMap(({ task, result, model, revision, representation }) =>
    result?.scores === undefined ? [] : [{ task, scores: result.scores, place: { root, model, revision, representation } }],
  )
  // another representation than the model's own is not what anybody published
  const own = ours.filter(({ place }) => against !== 'published' || place.representation === 'default')
  const compared = await compareAll(own, against, { root, interval: false })
  const types = new Map((await findTasks(['*'], { runnable: false })).tasks.map(({ name, type }) => [name, type]))
  const verdicts = compared.map((one) => ({ ...one, agrees: agrees(types.get(one.task) ?? '', one) }))
  const differing = verdicts.filter((one) => !one.agrees)
  if (flags.json === true) for (const one of verdicts) terminal.print(JSON.stringify(one))
  else {
    for (const line of comparisonLines(compared, against)) terminal.print(line)
    for (const { task, model } of differing) terminal.print(`differs  ${model} ${task}`)
    terminal.print(`${verdicts.length - differing.length} of ${verdicts.length} agree (within 0.2 points for classification, 1 for clustering, 0.05 otherwise)`)
  }
  return verdicts.length === 0 || differing.length > 0 ? 1 : 0
}
