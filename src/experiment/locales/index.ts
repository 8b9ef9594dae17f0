/**
 * locales: whether a model of one locale can be made of those of others – which sources, with which weights.
 *
 * In: features of languages, tables of similarity, folders of results. Out: weights; tables, files and the page of a
 * comparison or of a study.
 * Never: a merge, a score computed here.
 */
export { type FeatureSet, type Language, languages, toLocale } from './languages.ts'
export { languageSimilarity } from './language-similarity.ts'
export {
  type LocaleTable,
  sinkhorn,
  sinkhornLegacy,
  sourceWeights,
  type SimilarSource,
  type SourceWeight,
  type TargetSources,
  type WeightMethod,
  type WeightOptions,
} from './weights.ts'
export { compareLocales, type LocaleComparison, type TypePair, type TypeSummary } from './compare-locales.ts'
export { type ComparisonFormat, writeComparison } from './comparison-files.ts'
export { writeComparisonPage } from './comparison-page.ts'
export { comparisonTables } from './comparison-tables.ts'
export { type LocaleRun, type LocaleRuns, readRuns, type SourceType, sourceTypes } from './read-runs.ts'
export { type MergedSource, writeMergeDetails } from './merge-details.ts'
export { modelsByLocale, withoutSubfolder } from './model-list.ts'
export { type AccuracyTable, readAccuracies, readAccuracyFile, type ScoredModel } from './accuracy-table.ts'
export { readWeights } from './manual-weights.ts'
export { writeProgress } from './progress-files.ts'
export { type DescribedRun, type LabelledText, shownTexts, writeRunFiles } from './run-files.ts'
export { writeMatrices } from './similarity-matrices.ts'
export { readSimilarity } from './similarity-file.ts'
export {
  type Study,
  type StudyMode,
  type StudyMoments,
  studyModes,
  type StudyOptions,
  makeStudy,
  targetsBetween,
  type Weighting,
} from './study.ts'
export { studyGrids, type StudyGrids } from './study-grids.ts'
export { type SourceChoice, targetSources } from './target-sources.ts'
export { studyFile, writeStudy } from './write-study.ts'
