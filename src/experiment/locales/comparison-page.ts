/** A comparison as a page: its answer, its tables, and pictures of what it found. */
import { quantity } from '#core'
import { writePage } from '#result/report'
import type { LocaleComparison } from './compare-locales.ts'
import { comparisonPictures } from './comparison-pictures.ts'
import { answerSentences, comparisonTables } from './comparison-tables.ts'
import { byFamily } from './families.ts'
import { familyMeans } from './family-means.ts'
import { toGains } from './gains.ts'
import { languages } from './languages.ts'
import { inOrder } from './locale-grid.ts'
import { pageTables } from './page-tables.ts'
import type { LocaleRun } from './read-runs.ts'
import type { StudyGrids } from './study-grids.ts'

export interface ComparisonPage {
  /** Those that were compared. */
  readonly runs: readonly LocaleRun[]
  /** Folder of the results. */
  readonly folder: string
  /** Default: nothing is known of sources. */
  readonly grids?: StudyGrids | undefined
}

/** Complete or absent. Throws `file.write`. */
export async function writeComparisonPage(
  path: string,
  comparison: LocaleComparison,
  { runs, folder, grids = {} }: ComparisonPage,
): Promise<void> {
  const known = await languages()
  const { weights, accuracies } = grids
  const everyLocale = new Set([
    ...comparison.rows.map(({ locale }) => locale),
    ...[weights, accuracies].flatMap((grid) => [...(grid?.targets ?? []), ...(grid?.sources ?? [])]),
  ])
  const order = [...byFamily([...everyLocale], known).values()].flat()
  const parts = {
    gains: toGains(runs, comparison),
    families: familyMeans(comparison, known),
    grids: {
      weights: weights === undefined ? undefined : inOrder(weights, order),
      accuracies: accuracies === undefined ? undefined : inOrder(accuracies, order),
    },
  }
  const types = quantity(Object.keys(comparison.summary).length, 'type')
  await writePage(path, {
    title: 'Merges by locale',
    answer: [
      `Compared: ${quantity(comparison.rows.length, 'locale')} in ${types}.`,
      ...answerSentences(comparison).slice(0, mostSentences),
    ],
    pictures: comparisonPictures(comparison, parts),
    tables: [...comparisonTables(comparison), ...pageTables(parts)],
    folders: [folder],
  })
}

/** Maximum number of sentences about pairs; the table has the others. */
const mostSentences = 3
