/** Pictures of a comparison: gains by locale, accuracies by family, weights and accuracies by locale × locale. */
import { decimals, points, quantity } from '#core'
import { barsByGroup, heatMap, valuesByName } from '#result/pictures'
import type { TitledPicture } from '#result/report'
import type { LocaleComparison } from './compare-locales.ts'
import type { FamilyMeans } from './family-means.ts'
import type { Gains } from './gains.ts'
import { sourceTypes } from './read-runs.ts'
import type { StudyGrids } from './study-grids.ts'

/** Maximum number of colours that can be told apart. */
const mostTypes = 7

export function comparisonPictures(
  { types }: LocaleComparison,
  {
    gains,
    families,
    grids,
  }: { readonly gains: readonly Gains[]; readonly families: readonly FamilyMeans[]; readonly grids: StudyGrids },
): TitledPicture[] {
  return [...gains.map(gainPicture), ...familyPicture(families, types), ...gridPictures(grids)]
}

function gainPicture({ first, second, locales }: Gains): TitledPicture {
  const title = `Gain of ${first} over ${second}`
  const sorted = locales.toSorted((a, b) => b.gain - a.gain)
  return {
    title,
    picture: valuesByName({
      title,
      subtitle: `accuracy × 100${locales.some(({ interval }) => interval !== undefined) ? '; lines: 95 % of resamples of the texts, not corrected for the number of locales' : ''}`,
      across: `${first} − ${second} (points)`,
      hasZero: true,
      values: sorted.map(({ locale, gain, interval }) => ({
        name: locale,
        value: 100 * gain,
        ...(interval === undefined ? {} : { low: 100 * interval.low, high: 100 * interval.high }),
      })),
    }),
  }
}

function familyPicture(families: readonly FamilyMeans[], types: readonly string[]): TitledPicture[] {
  const there = families.filter(({ locales }) => locales.length > 0)
  const known = types.filter((type) => there.some(({ means }) => Object.hasOwn(means, type)))
  const own = known.filter((type) => !sourceTypes.some((one) => one === type))
  const rows = own.slice(0, mostTypes)
  if (there.length === 0) return []
  const title = 'Accuracy by family of languages'
  return [
    {
      title,
      picture: barsByGroup({
        title,
        subtitle: `mean over the locales that have all types${own.length > rows.length ? `; ${rows.length} of ${quantity(own.length, 'type')}` : ''}`,
        groups: there.map(({ family, locales }) => `${family} (${locales.length})`),
        rows,
        across: 'accuracy × 100',
        values: rows.map((type) => there.map(({ means }) => 100 * (means[type] ?? NaN))),
      }),
    },
  ]
}

function gridPictures({ weights, accuracies }: StudyGrids): TitledPicture[] {
  const shared = { isEveryNamed: true } as const
  const [weightTitle, accuracyTitle] = ['Weights of the sources', 'Accuracy of each model on each locale']
  return [
    ...(weights === undefined
      ? []
      : [
          {
            title: weightTitle,
            picture: heatMap({
              ...shared,
              title: weightTitle,
              subtitle: 'locales by family of their languages',
              metric: 'weight',
              rows: { title: 'target', labels: weights.targets },
              columns: { title: 'source', labels: weights.sources },
              values: weights.values,
              // from 0, so that colours compare weights and not only their order
              domain: [0, Math.max(...weights.values.flat().map((value) => value ?? 0))],
              written: (value) => decimals(value, 2),
            }),
          },
        ]),
    ...(accuracies === undefined
      ? []
      : [
          {
            title: accuracyTitle,
            picture: heatMap({
              ...shared,
              title: accuracyTitle,
              subtitle: 'locales by family of their languages',
              metric: 'accuracy × 100',
              rows: { title: 'scored locale', labels: accuracies.targets },
              columns: { title: "model's locale", labels: accuracies.sources },
              values: accuracies.values.map((row) => row.map((value) => (value === null ? null : 100 * value))),
              written: (value) => points(value / 100),
            }),
          },
        ]),
  ]
}
