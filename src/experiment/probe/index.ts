/**
 * probe: linear probes on the layers of a model – data sets × layers × controls × seeds, planned, trained, resumed.
 *
 * In: an opened model, a collection of probing data. Out: results on disk, tables, a picture.
 * Never: console output, training a probe twice.
 */
export { isProbed } from './is-probed.ts'
export { planProbe, type ProbePlan } from './plan-probe.ts'
export type { Probed, ProbedDataSet } from './probed.ts'
export { checkDataSetNames, type ProbeOptions } from './options.ts'
export { runProbe } from './run-probe.ts'
export { type LayerSummary, summariesOf } from './summaries.ts'
