/**
 * experiment: references are resolved, sweeps planned, run and resumed; the library's verbs.
 *
 * In: model references, tasks, representations, texts. Out: plans, results on disk, files of vectors, facts about a model.
 * Never: a word on the console.
 */
export { doctor, type Check } from './doctor.ts'
export { describe, type Description } from './describe.ts'
export { describeMerge, type MergeDescription, mergeLines } from './describe-merge.ts'
export { encodeTexts, type Encoded, type TextRow } from './encode-texts.ts'
export { encodeIds, encodeTextTokens, type EncodedTokens } from './encode-tokens.ts'
export { describeExtraction, type ExtractionDescription, extractionLines } from './describe-extraction.ts'
export { type OpenedExtraction, openExtraction, writeExtraction, type WrittenAdapter } from './extract-lora.ts'
export type { OpenedMerge } from './merge-inputs.ts'
export type { MoeOptions } from './open-moe.ts'
export { openMergeFile, openModel, type OpenModelOptions } from './open-model.ts'
export { openVectors, type RecordedFiles } from './open-vectors.ts'
export { type AskedText, taskTexts } from './task-texts.ts'
export { planLines, type Plan, type PlanEntry } from './plan.ts'
export { planSweep } from './plan-sweep.ts'
export { runSweep, type SweepResult } from './sweep.ts'
export type { SweepOptions } from './sweep-options.ts'
export { encode, evaluate, layerVectors, type EvaluateOptions } from './verbs.ts'
export type { Model } from '../model/index.ts'
export { readTexts } from '../tables/index.ts'
export { type MergeTarget, writeMerge, type WriteMergeOptions, writeMerges, type WrittenMerge } from './write-merge.ts'
export { describeTransplant, type TransplantDescription, transplantLines } from './describe-transplant.ts'
export { type OpenedTransplant, openTransplant } from './transplant.ts'
export { writeTransplant, type WriteTransplantOptions, type WrittenTransplant } from './write-transplant.ts'
