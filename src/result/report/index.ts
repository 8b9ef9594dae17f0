/**
 * report: results as pictures, and folders of them as one report: a page, tables for a paper, a spreadsheet, a program.
 *
 * In: results, folders of them, or numbers with names. Out: pictures and reports as values, and their bytes, without a
 * browser.
 * Never: a score computed, a font or a file of the machine's, a call over the network.
 */
export { asText, asTextPage, type TextTable } from './as-text.ts'
export type { Beside, ReplayHeld, RowMetric, SearchHeld, SimilarityHeld } from './beside.ts'
export type { Identity, RecordedScores } from './collect.ts'
export type { HeldOnTask } from './held.ts'
export { type LayerHeatMap, layerHeatMap } from './layer-heat-map.ts'
export { type LayerPhenomena, layerPhenomena } from './layer-phenomena.ts'
export { type MethodGrid, methodGrid } from './method-grid.ts'
export type { Background, Picture } from './picture.ts'
export { type PictureFormat, pictureFormat, renderPicture, writePicture } from './render-picture.ts'
export { type RegretCurves, regretCurves } from './regret-curves.ts'
export { type ReportFormat, reportFormat, renderReport, writeReport } from './render-report.ts'
export { type Report, reportOf, type ReportOptions, type ReportRow } from './report.ts'
export { referenceParts, rowsMeant } from './rows-meant.ts'
export { type ScoreByLayer, type ScoreLine, type ScorePoint, scoreByLayer } from './score-by-layer.ts'
export { scorePicture } from './score-picture.ts'
export type { Cell, Table } from './table.ts'
export { chance, counted, level, points, signed, tablesOf } from './tables.ts'
export { type WeightsByLayer, weightsByLayer } from './weights-by-layer.ts'
