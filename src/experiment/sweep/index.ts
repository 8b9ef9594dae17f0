/**
 * sweep: models × representations × tasks, planned, run and resumed; the functions of the library.
 *
 * In: opened models, tasks, representations. Out: plans, results on disk.
 * Never: console output.
 */
export { planSweep } from './plan-sweep.ts'
export { type Plan, type PlanEntry } from './plan.ts'
export type { SweepOptions } from './asked-sweep.ts'
export { requestSweep } from './asked-sweep.ts'
export { datasetsOf } from './load-rows.ts'
export { sameResult } from './same-result.ts'
export { type SweepEntry, sweepEntries } from './sweep-entries.ts'
export { runSweep, type SweepResult } from './sweep.ts'
export { type PromptedText, taskTexts } from './task-texts.ts'
export { encode, evaluate, type EvaluateOptions, layerVectors } from './verbs.ts'
