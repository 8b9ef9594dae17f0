/**
 * write: folders of new models – merges, transplants, extracted adapters.
 *
 * In: opened recipes. Out: Hugging Face folders, complete or absent, with a manifest.
 * Never: a task, a score, console output.
 */
export { describeExtraction, type ExtractionDescription } from './describe-extraction.ts'
export { describeMerge, type MergeDescription } from './describe-merge.ts'
export { describeTransplant, type TransplantDescription } from './describe-transplant.ts'
export type { CorpusStep } from './corpus-steps.ts'
export { type Distillation, openDistillation } from './distil.ts'
export type { CorpusPlan } from './distil-corpus.ts'
export type { Distilled, DistilPlan } from './distil-plan.ts'
export type { CorpusSteps, DistilOptions, DistilTexts, TokenPooling } from './distil-settings.ts'
export { exportModel, type ExportModelOptions } from './export-model.ts'
export { type OpenedExtraction, openExtraction, writeExtraction, type WrittenAdapter } from './extract-lora.ts'
export { isFinishedMerge, readManifest } from './finished-merge.ts'
export { type MergeStep, mergeSteps } from './merge-steps.ts'
export { type MergeTarget, writeMerge, type WriteMergeOptions, writeMerges, type WrittenMerge } from './write-merge.ts'
export { mergeLicences } from './read-cards.ts'
export { writeTransplant, type WriteTransplantOptions, type WrittenTransplant } from './write-transplant.ts'
