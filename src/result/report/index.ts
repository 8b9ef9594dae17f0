/**
 * report: folders of results as one report: a page, tables for a paper, a spreadsheet, input for a program.
 *
 * In: folders of results, or recorded scores. Out: reports as values, and their bytes.
 * Never: computing a score, a call over the network.
 */
export { answer } from './answer.ts'
export { asText, asTextPage, type TextTable } from './as-text.ts'
export type { Companions, ReplayRecord, RowMetric, SearchRecord, SimilarityRecord } from './companions.ts'
export { holdsResults, type ReadResults, type RecordedScores } from './collect.ts'
export type { Identity } from './draft.ts'
export { figure } from './page-figures.ts'
export { breakable, escaped, tableSection } from './page-tables.ts'
export { pageScripts, pageShell } from './page-shell.ts'
export { writePage } from './page.ts'
export { renderReport, type ReportFormat, reportFormat, writeReport } from './render-report.ts'
export { type Report, reportOf, type ReportOptions, type ReportRow } from './report.ts'
export { companionPictures } from './companion-pictures.ts'
export { reportPictures, type TitledPicture } from './report-pictures.ts'
export { metricNames, partsTable, resultCells, resultColumns } from './result-tables.ts'
export { referenceParts, rowMeant } from './rows-meant.ts'
export { type Cell, counted, numbers, type Table } from './table.ts'
export { level } from './sentence-parts.ts'
export { partOfRows, partOfTable, type TableView } from './table-part.ts'
export { tablesOf, untestedNotes } from './tables.ts'
