/**
 * exports: results in the forms of other programs – the hub's result files and model-index, mteb's results repository,
 * MLflow, TensorBoard.
 *
 * In: results of a folder, facts of tasks. Out: files for those programs.
 * Never: a score that is not in the results, a request, a change to the results or to a card.
 */
export { toCardScores } from './card-scores.ts'
export type { ExportedFile, TaskFacts } from './exported.ts'
export { exportedFiles, type ResultFormatName, writeExported } from './export-results.ts'
