/**
 * results: the ledger on disk – one file a task, in mteb's layout, failures and single items beside it.
 *
 * In: results, and folders of them, ours or mteb's. Out: the same, whole or not at all; whether one may be used again.
 * Never: a score computed or changed, a model, a task's meaning, an exception for a file somebody else wrote.
 */
export { averagesOf, type AskedTask, type Averages, bordaRanks, type Contender, meanScore } from './averages.ts'
export { cleanTemporary } from './clean.ts'
export type { Interval } from './bootstrap.ts'
export { compareTask, type Comparison, type Side } from './compare.ts'
export { importResults, type Imported, type ImportOptions } from './import-results.ts'
export { publishedOf, type PublishedScores, publishedScores } from './published.ts'
export { resultDocument, scoreMeans, type StoredResult } from './document.ts'
export { findFailure, findResult, listResults, type Found, type Listed, type ListFilters } from './find-results.ts'
export { fingerprintOf, type FingerprintParts } from './fingerprint.ts'
export { mergeResults } from './merge-results.ts'
export type { ModelFacts } from './model-meta.ts'
export { failurePath, itemsPath, partialPath, resultFolder, resultPath, type ResultPlace } from './paths.ts'
export { overwriteStrategies, reuse, type OverwriteStrategy, type Reuse, type Selection, type Wanted } from './reuse.ts'
export { writeResult, type Items, type WriteOptions } from './write-result.ts'
