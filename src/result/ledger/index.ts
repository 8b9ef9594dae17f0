/**
 * ledger: the ledger on disk – one file per task in mteb's layout, with failures and scores of single items next to it.
 *
 * In: results, and folders of them, by Strata or by mteb. Out: the same, complete or absent; whether a result can be
 * reused.
 * Never: computing or changing a score, a model, the meaning of a task, an exception because of a foreign file.
 */
export { checkResultNames } from './check-names.ts'
export {
  type Choice,
  readChoices,
  readRecipe,
  type Recipe,
  recipeName,
  settingsSuffix,
  withoutSettings,
  writeChoice,
} from './choices.ts'
export { cleanTemporary } from './clean.ts'
export { finishedScore, resultDocument, scoreMeans, type StoredResult } from './document.ts'
export {
  findFailure,
  findResult,
  type Found,
  type Listed,
  type ListFilters,
  listResults,
  readResult,
} from './find-results.ts'
export { makeFingerprint, type FingerprintParts, fingerprintVersion } from './fingerprint.ts'
export { type HarnessFiles, harnessFiles, type HarnessScore, settingsHash } from './harness-files.ts'
export { hiddenState } from './hidden-state.ts'
export {
  type HolmesLeaderboard,
  holmesEvaluation,
  holmesLeaderboard,
  type HolmesProbe,
  type HolmesRow,
} from './holmes-files.ts'
export { type Imported, type ImportOptions, importResults } from './import-results.ts'
export { type LocaleFile, localeFiles, readLocaleFile } from './locale-files.ts'
export { mergeResults } from './merge-results.ts'
export type { ModelFacts } from './model-meta.ts'
export {
  failurePath,
  itemsPath,
  metaFile,
  partialPath,
  resultFolder,
  resultPath,
  type ResultPlace,
  revisionFolder,
} from './paths.ts'
export { publishedOf, type PublishedScores, publishedScores } from './published.ts'
export { queryResults } from './query-results.ts'
export { reusableResult } from './reusable-result.ts'
export { overwriteStrategies, type OverwriteStrategy, reuse, type Reuse, type Selection, type Wanted } from './reuse.ts'
export { type ResultsWatch, watchResults, type Watched } from './watch-results.ts'
export { type Items, type WriteOptions, writeResult } from './write-result.ts'
