/**
 * What a linear probe can read off vectors: data sets of Holmes, BLiMP, Zorro, UD and SentEval, controls, training,
 * description lengths, over one matrix or over every layer of a model.
 *
 * @module probing
 */
export {
  controlled,
  openProbeData,
  type ProbeCollection,
  type ProbeControl,
  probeControls,
  type ProbeDataSet,
  type ProbeInstance,
  type ProbeJob,
  type ProbeOutcome,
  type ProbeSettings,
  rowsOf,
  taskTypes,
  type TaskType,
  trainProbes,
} from '#task/probing'
export { openUntrained } from '#experiment/open'
export {
  type LayerSummary,
  planProbe,
  type Probed,
  type ProbeOptions,
  type ProbePlan,
  runProbe,
  summariesOf,
} from '#experiment/probe'
