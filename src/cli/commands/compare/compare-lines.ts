/** `strata compare` on a terminal: its tables one below the other, each with its notes. */
import { type Comparison, comparisonTables } from '#experiment/compare'
import { asTextPage } from '#result/report'

export function compareLines(comparison: Comparison): string[] {
  return asTextPage(comparisonTables(comparison))
}
