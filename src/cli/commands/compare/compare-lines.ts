/** `strata compare` on a terminal: its answer, then its tables one below the other, each with its notes. */
import { type Comparison, comparisonTables } from '#experiment/compare'
import { answer, asTextPage } from '#result/report'

export function compareLines(comparison: Comparison): string[] {
  return [...answer(comparison.report), '', ...asTextPage(comparisonTables(comparison))]
}
