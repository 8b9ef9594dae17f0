/**
 * open: references become models, merges, transplants, vectors.
 *
 * In: what the user typed. Out: opened models and what can be said of them without running them.
 * Never: a task, a result, a folder of its own.
 */
export { awayModel } from './away-model.ts'
export { configOf, generationOf } from './config-of.ts'
export { describe, type Description } from './describe.ts'
export { compareWithGolden } from './golden.ts'
export { tokenizerTexts } from './joined-tokenizer.ts'
export { type OpenedMerge, sourcesOf } from './opened-merge.ts'
export { openMergeFile, openModel, type OpenModelOptions, resolveModel } from './open-model.ts'
export { oneModel, type OneModel } from './one-model.ts'
export type { MoeOptions } from './open-moe.ts'
export { openVectors, type RecordedFiles } from './open-vectors.ts'
export { batchOf } from './token-batch.ts'
export { type OpenedTransplant, openTransplant } from './transplant.ts'
export { openServerModel, type OpenServerOptions } from './open-server.ts'
export { openUntrained } from './untrained.ts'
