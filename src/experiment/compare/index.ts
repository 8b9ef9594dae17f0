/**
 * compare: models and representations side by side: differences and their significance, the texts behind them, speed
 * and size.
 *
 * In: folders of results, the rows to compare, a way to read a task's rows, measured speed. Out: a comparison as a
 * value, and its tables in any format.
 * Never: computing a score, a model, console output.
 */
export { type Comparison, type MeasuredCost, compareModels, type CompareOptions } from './compare-models.ts'
export { comparisonTables } from './comparison-tables.ts'
export { type ComparisonFormat, renderComparison, writeComparison } from './render-comparison.ts'
export { chosenRows } from './chosen-rows.ts'
export { type ItemPlace, openTaskTexts, textsOfTask } from './item-texts.ts'
