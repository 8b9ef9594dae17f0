/**
 * sweep: models × representations × tasks, planned, run and resumed; the functions of the library.
 *
 * In: opened models, tasks, representations. Out: plans, results on disk.
 * Never: console output.
 */
export { drawnPart, type DrawnPartOptions } from './drawn-part.ts'
export { openDatasets } from './load-rows.ts'
export { aheadTexts } from './prepare-task.ts'
export { planSweep } from './plan-sweep.ts'
export type { Plan, PlanEntry } from './plan.ts'
export { sameResult } from './same-result.ts'
export { sweepEntries, type SweepEntry } from './sweep-entries.ts'
export { checkSubsets, findReach, requestSweep, type RerankOptions, type SweepOptions } from './sweep-request.ts'
export { runSweep, runSweeps, type SweepResult } from './sweep.ts'
export { type PromptedText, taskTexts } from './task-texts.ts'
export { encode, evaluate, type EvaluateOptions, layerVectors } from './verbs.ts'
export { type SweepRest, toValidationSweep, validationFor, validationScore } from './validation-sweep.ts'
