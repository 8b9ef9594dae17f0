/**
 * Event files of TensorBoard: one run per model and revision for all of its hidden states, whose step is the layer, and
 * one per other representation, at step 0. Tags: `<Task>/main_score` over all parts, `<Task>/<split>/<subset>` of each.
 */
import { pathName } from '#platform/disk'
import { hiddenState, scoreMeans } from '#result/ledger'
import { eventFile, type Scalar } from './event-file.ts'
import { type FinishedResult, inGroups, type ResultFormat, scoredParts } from './exported.ts'

export const tensorboard: ResultFormat = {
  isOfOneModel: false,
  files: (results) =>
    Array.from(inGroups(results, runName), ([run, own]) => {
      const scalars = own.flatMap(scalarsFor).toSorted((a, b) => a.step - b.step)
      const time = Math.max(...scalars.map((scalar) => scalar.time), 0)
      // TensorBoard looks for such a name; the same one again takes the place of the export before
      return { path: `${run}/events.out.tfevents.0000000000.strata`, content: eventFile(scalars, time) }
    }),
}

function runName({ model, revision, representation }: FinishedResult): string {
  const view = hiddenState(representation) === undefined ? representation : representation.replace(/^h\d+/, 'layers')
  return [model, revision, view].map(pathName).join('/')
}

function scalarsFor(one: FinishedResult): Scalar[] {
  const { task, representation, result } = one
  const common = { step: hiddenState(representation) ?? 0, time: result.date ?? 0 }
  const whole = scoreMeans(result.scores ?? {}).all
  return [
    ...(whole === null ? [] : [{ tag: `${task}/main_score`, value: whole, ...common }]),
    ...scoredParts(one.result).map(({ split, subset, score }) => ({
      tag: `${task}/${split}/${subset}`,
      value: score,
      ...common,
    })),
  ]
}
