/**
 * The ledger: one file per result in mteb's layout, with failures and scores of single items alongside; found, written,
 * merged, imported, asked in SQL; the published scores of known models.
 *
 * @module ledger
 */
export type { Provenance, Result, ResultSettings, Scores, SubsetScores } from '#core'
export {
  findFailure,
  findResult,
  type Found,
  type Imported,
  type ImportOptions,
  importResults,
  type Items,
  itemsPath,
  type Listed,
  type ListFilters,
  listResults,
  mergeResults,
  publishedOf,
  type PublishedScores,
  queryResults,
  resultDocument,
  resultFolder,
  resultPath,
  type ResultPlace,
  scoreMeans,
  type StoredResult,
  type WriteOptions,
  writeResult,
} from '#result/ledger'
