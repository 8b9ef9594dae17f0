/**
 * compare: models and representations side by side – who is ahead, by more than chance or not, on which texts, at what
 * speed and size.
 *
 * In: folders of results, who is meant, a way to read a task's rows. Out: a comparison as a value, and its tables in
 * any format.
 * Never: a score computed, a model, a word on the console.
 */
export { type Comparison, compareModels, type CompareOptions } from './compare-models.ts'
export { comparisonTables } from './comparison-tables.ts'
export { type ComparisonFormat, renderComparison, writeComparison } from './render-comparison.ts'
export { chosenRows } from './chosen-rows.ts'
export { textsOfTask } from './item-texts.ts'
