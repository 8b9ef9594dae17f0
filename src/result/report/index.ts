/**
 * report: folders of results as one report: a page, tables for a paper, a spreadsheet, input for a program.
 *
 * In: folders of results, or recorded scores. Out: reports as values, and their bytes.
 * Never: computing a score, a call over the network.
 */
export { answer } from './answer.ts'
export { asText, asTextPage, type TextTable } from './as-text.ts'
export type { Companions, ReplayRecord, RowMetric, SearchRecord, SimilarityRecord } from './companions.ts'
export { holdsResults, type RecordedScores } from './collect.ts'
export type { Identity } from './draft.ts'
export { writePage } from './page.ts'
export { renderReport, type ReportFormat, reportFormat, writeReport } from './render-report.ts'
export { type Report, reportOf, type ReportOptions, type ReportRow } from './report.ts'
export type { TitledPicture } from './report-pictures.ts'
export { referenceParts, rowMeant } from './rows-meant.ts'
export { type Cell, counted, numbers, type Table } from './table.ts'
export { level } from './sentence-parts.ts'
export { tablesOf, untestedNotes } from './tables.ts'
