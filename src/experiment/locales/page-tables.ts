/** Tables that a page of a comparison has next to those of a terminal: the numbers of its pictures. */
import { dash, decimals } from '#core'
import { type Cell, counted, numbers, type Table } from '#result/report'
import { gainCell, intervalCell, scoreCell } from './comparison-tables.ts'
import type { FamilyMeans } from './family-means.ts'
import type { Gains } from './gains.ts'
import type { LocaleGrid } from './locale-grid.ts'
import type { StudyGrids } from './study-grids.ts'

/** Nothing of what a comparison lacks. */
export function pageTables({
  gains,
  families,
  grids: { weights, accuracies },
}: {
  readonly gains: readonly Gains[]
  readonly families: readonly FamilyMeans[]
  readonly grids: StudyGrids
}): Table[] {
  return [
    ...(gains.length === 0 ? [] : [gainTable(gains)]),
    ...(families.length === 0 ? [] : [familyTable(families)]),
    ...(weights === undefined ? [] : [gridTable(weights, 'weights')]),
    ...(accuracies === undefined ? [] : [gridTable(accuracies, 'accuracies')]),
  ]
}

function gainTable(gains: readonly Gains[]): Table {
  const locales = [...new Set(gains.flatMap((one) => one.locales.map(({ locale }) => locale)))]
  return {
    id: 'gains',
    title: 'Gains by locale',
    notes: [
      '95 %: of resamples of the texts of a locale. Intervals of many locales are not corrected for their number.',
    ],
    columns: [
      { title: 'locale' },
      ...gains.flatMap(({ first, second }) => [...numbers(`${first} − ${second}`), { title: '95 %' }]),
    ],
    rows: locales.map((locale) => [
      { text: locale },
      ...gains.flatMap((one): Cell[] => {
        const found = one.locales.find((own) => own.locale === locale)
        return [gainCell(found?.gain), intervalCell(found?.interval)]
      }),
    ]),
  }
}

function familyTable(families: readonly FamilyMeans[]): Table {
  const types = Object.keys(families.find(({ locales }) => locales.length > 0)?.means ?? {})
  const incomplete = families.flatMap((one) => one.incomplete)
  return {
    id: 'families',
    title: 'Accuracy by family of languages',
    notes: [
      `Families are those of URIEL. Every mean is over the locales of its family that have all types${incomplete.length === 0 ? '' : `, without ${incomplete.join(', ')}`}.`,
    ],
    columns: [{ title: 'family' }, { title: 'locales' }, ...numbers('number', ...types)],
    rows: families
      .filter(({ locales }) => locales.length > 0)
      .map(({ family, locales, means }) => [
        { text: family },
        { text: locales.join(', ') },
        counted(locales.length),
        ...types.map((type) => scoreCell(means[type])),
      ]),
  }
}

const kinds = {
  weights: {
    title: 'Weights of the sources',
    note: 'Rows are targets, columns the locales of the models that are merged for them.',
    toText: (value: number) => decimals(value, 3),
  },
  accuracies: {
    title: 'Accuracy of each model on each locale',
    note: 'Rows are the locales that are scored, columns those of the models. A study scores the models that it needs.',
    toText: (value: number) => scoreCell(value).text,
  },
} as const

function gridTable({ targets, sources, values }: LocaleGrid, kind: keyof StudyGrids): Table {
  const { title, note, toText } = kinds[kind]
  return {
    id: kind,
    isFolded: true,
    title,
    notes: [note],
    columns: [{ title: 'locale' }, ...numbers(...sources)],
    rows: targets.map((target, i) => [
      { text: target },
      ...(values[i] ?? []).map((value) => (value === null ? { text: dash, value } : { text: toText(value), value })),
    ]),
  }
}
