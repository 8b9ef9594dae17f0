/**
 * Event files of TensorBoard: one run per model and revision for all of its hidden states, whose step is the layer, and
 * one per other representation, at step 0. Tags: `<Task>/main_score` over all parts, `<Task>/<split>/<subset>` of each.
 * A file above the runs lists their settings and main scores for the HParams page.
 */
import { pathName } from '#platform/disk'
import { hiddenState, scoreMeans } from '#result/ledger'
import { eventFile, type Scalar } from './event-file.ts'
import { toExperiment, toSessionStart, type Settings } from './hparams.ts'
import { type FinishedResult, inGroups, type ResultFormat, scoredParts } from './exported.ts'

export const tensorboard: ResultFormat = {
  isOfOneModel: false,
  files(results) {
    const runs = Array.from(inGroups(results, runName), ([run, own]) => {
      const scalars = own.flatMap(scalarsFor).toSorted((a, b) => a.step - b.step)
      const time = Math.max(...scalars.map((scalar) => scalar.time), 0)
      return { run, scalars, time, settings: toSettings(own) }
    })
    const time = Math.max(...runs.map((one) => one.time))
    const metrics = new Set(runs.flatMap(({ scalars }) => scalars.map(({ tag }) => tag).filter(isMain)))
    const all = toExperiment(
      runs.map(({ settings }) => settings),
      [...metrics],
    )
    return [
      ...runs.map((one) => ({
        path: `${one.run}/${fileName}`,
        content: eventFile(one.scalars, one.time, [toSessionStart(one.settings, one.time)]),
      })),
      { path: fileName, content: eventFile([], time, [all]) },
    ]
  },
}

/** TensorBoard looks for such a name; the same one again takes the place of the export before. */
const fileName = 'events.out.tfevents.0000000000.strata'

function isMain(tag: string): boolean {
  return tag.endsWith('/main_score')
}

function toSettings([first]: readonly FinishedResult[]): Settings {
  if (first === undefined) return {}
  const { model, revision, representation } = first
  return { model, revision, representation: toView(representation) }
}

/** Hidden states are the steps of one run. */
function toView(representation: string): string {
  return hiddenState(representation) === undefined ? representation : representation.replace(/^h\d+/, 'layers')
}

function runName({ model, revision, representation }: FinishedResult): string {
  return [model, revision, toView(representation)].map(pathName).join('/')
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
