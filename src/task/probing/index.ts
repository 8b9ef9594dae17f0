/**
 * probing: how well a linear probe predicts labels from vectors – data sets, controls, training, scores, description
 * lengths.
 *
 * In: folders of Holmes, BLiMP, Zorro, UD, SentEval; matrices of vectors. Out: instances and the pieces of text they
 * need, results of probes.
 * Never: a model, computing a vector, writing a result.
 */
export { controlled } from './controls.ts'
export { type ProbeDataSet, type ProbeInstance, rowsOf, type TaskType, taskTypes } from './data-set.ts'
export type { DescriptionLength } from './mdl.ts'
export { openProbeData, type ProbeCollection } from './open-data.ts'
export { type Piece, piecesOf } from './pieces.ts'
export { type ProbeScores } from './scores.ts'
export {
  portionNamed,
  type ProbeControl,
  probeControls,
  probeKinds,
  probeProfiles,
  type ProbeKind,
  type ProbeProfile,
  type ProbeSettings,
} from './settings.ts'
export type { ProbeJob } from './probe-job.ts'
export type { ProbeOutcome } from './train-probe.ts'
export { trainProbes } from './train-probes.ts'
