/**
 * open: references become models, merges, transplants, vectors.
 *
 * In: references and options of the user. Out: opened models, and descriptions of them that need no forward pass.
 * Never: a task, a result, a folder of its own.
 */
export { awayModel } from './away-model.ts'
export { readConfig, readGenerationConfig } from './config-of.ts'
export { describe, type Description } from './describe.ts'
export { embeddingArgs } from './embedding-args.ts'
export { readEnsemble } from './ensemble.ts'
export { compareWithGolden } from './golden.ts'
export { tokenizerTexts } from './joined-tokenizer.ts'
export { type OpenedMerge, sourcesOf } from './opened-merge.ts'
export { openMergeFile, openModel, type OpenModelOptions, resolveModel } from './open-model.ts'
export { type HeadedModel, openPair } from './open-pair.ts'
export { listOrigins } from './origins.ts'
export { oneModel, type OneModel } from './one-model.ts'
export type { MoeOptions } from './open-moe.ts'
export { openEmbeddings, type OpenEmbeddingsOptions } from './open-embeddings.ts'
export { openVectors, type RecordedFiles } from './open-vectors.ts'
export { readBatch } from './token-batch.ts'
export { type OpenedTransplant, openTransplant } from './transplant.ts'
export { openSecondStage, type SecondStage, type SecondStageChoice, readSecondStage } from './second-stage.ts'
export { openServerModel, type OpenServerOptions } from './open-server.ts'
export { openUntrained } from './untrained.ts'
export { openTeacher, type Teacher } from './teacher.ts'
