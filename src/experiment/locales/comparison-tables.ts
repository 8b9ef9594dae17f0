/** A comparison of locales as tables for a terminal or a page. */
import { dash, decimals, grouped, points, pPhrase, pText, quantity, signedPoints } from '#core'
import { type Cell, numbers, type Table } from '#result/report'
import type { LocaleComparison, TypePair } from './compare-locales.ts'
import { improvement } from './comparison-files.ts'

/** Statistics by type, accuracies by locale, paired tests. */
export function comparisonTables(comparison: LocaleComparison): Table[] {
  const items = itemTable(comparison)
  return [
    summaryTable(comparison),
    localeTable(comparison),
    ...(items.rows.length === 0 ? [] : [items]),
    pairTable(comparison),
  ]
}

/** What the pairs that answer the question of a study say, one sentence each. */
export function answerSentences({ pairs }: Pick<LocaleComparison, 'pairs'>): string[] {
  return pairs.flatMap((pair) => (isAnswer(pair) ? [pairSentence(pair)] : []))
}

function summaryTable({ summary }: LocaleComparison): Table {
  return {
    id: 'summary',
    title: 'Accuracy by type',
    notes: [],
    columns: [{ title: 'type' }, ...numbers('locales', 'mean', 'standard deviation', 'minimum', 'maximum')],
    rows: Object.entries(summary).map(([type, one]) => [
      { text: type },
      { text: String(one.count), value: one.count },
      ...[one.mean_accuracy, one.std_accuracy, one.min_accuracy, one.max_accuracy].map(scoreCell),
    ]),
  }
}

function localeTable({ types, rows, summary }: LocaleComparison): Table {
  const merges = types.filter((type) => type !== 'baseline' && !type.endsWith(' source'))
  const improved = Object.hasOwn(summary, 'baseline') ? ['similarity', 'average'] : []
  return {
    id: 'locales',
    isScores: true,
    title: 'Accuracy by locale',
    notes: Object.hasOwn(summary, 'baseline')
      ? [
          'A baseline is the model of the locale itself. A merge without that model has seen no text of the locale: its difference from the baseline is what this costs, and says nothing about merging.',
        ]
      : [],
    columns: [{ title: 'locale' }, ...numbers(...types, ...improved.map((type) => `${type} minus baseline`))],
    rows: rows.map(({ locale, accuracy }) => {
      const best = Math.max(...merges.map((type) => accuracy[type] ?? -Infinity))
      return [
        { text: locale },
        ...types.map((type) => ({
          ...scoreCell(accuracy[type]),
          best: merges.length > 1 && merges.includes(type) && accuracy[type] === best,
        })),
        ...improved.map((type) => gainCell(improvement(accuracy, type))),
      ]
    }),
  }
}

function pairTable({ pairs }: LocaleComparison): Table {
  return {
    id: 'pairs',
    title: 'Paired tests over locales',
    notes: answerSentences({ pairs }),
    columns: [
      { title: 'pair' },
      ...numbers('locales', 'wins', 'losses', 'ties', 'difference', 't', 'p of t', 'of signs', 'of flipped signs'),
      ...numbers('of signed ranks', "Holm's"),
    ],
    rows: pairs.map(({ first, second, over, locales, wins, losses, ties, difference, t, p }) => [
      { text: `${first} − ${second}` },
      { text: over === 'complete' ? `${locales}, with all three` : String(locales), value: locales },
      ...[wins, losses, ties].map(countCell),
      gainCell(difference),
      { text: decimals(t, 2), value: t },
      ...[p.t, p.sign, p.permutation, p.wilcoxon, p.holm].map((value) => ({ text: pText(value), value })),
    ]),
  }
}

function itemTable({ pairs }: LocaleComparison): Table {
  return {
    id: 'items',
    title: 'Paired tests over texts',
    notes: [
      "Right alone: texts that only the first, or only the second, answers rightly (McNemar's exact test). Ahead and behind: locales in which they differ by more than chance (Holm over the locales). The 95 % interval is that of these texts and locales.",
    ],
    columns: [
      { title: 'pair' },
      ...numbers('texts', 'first right alone', 'second right alone', 'difference'),
      { title: '95 %' },
      ...numbers('p', "Holm's", 'ahead', 'behind'),
    ],
    rows: pairs.flatMap(({ first, second, over, difference, items }) =>
      items === undefined || over === 'complete'
        ? []
        : [
            [
              { text: `${first} − ${second}` },
              ...[items.items, items.wins, items.losses].map(countCell),
              gainCell(difference),
              intervalCell(items.interval),
              ...[items.p, items.holm].map((value) => ({ text: pText(value), value })),
              ...[items.ahead, items.behind].map(countCell),
            ],
          ],
    ),
  }
}

function countCell(value: number): Cell {
  return { text: grouped(value), value }
}

/** Every merge against the average; that and the choice by similarity against the sources and the model of the locale. */
function isAnswer({ first, second, over }: TypePair): boolean {
  const merges = ['similarity', 'average']
  return over === 'shared' && (second === 'average' || (merges.includes(first) && second !== 'weighted source'))
}

/** What a pair says: who is ahead, where, and whether chance would do as well. */
function pairSentence({ first, second, locales, wins, losses, ties, difference, p }: TypePair): string {
  const counts = `${first} is ahead of ${second} on ${wins} of ${quantity(locales, 'locale')}, behind on ${losses}${ties === 0 ? '' : `, level on ${ties}`}`
  const verdict = toVerdict(p.wilcoxon, p.holm)
  return `${counts}: ${signedPoints(difference)} points on average, ${verdict} (signed ranks, Holm: ${pPhrase(p.holm)}).`
}

/** A pair by itself may differ where it does not among many. */
function toVerdict(alone: number, corrected: number): string {
  if (corrected < 0.05) return 'more than chance'
  return alone < 0.05 ? 'more than chance by itself, but not among all pairs' : 'no more than chance'
}

export function scoreCell(accuracy: number | null | undefined): Cell {
  return accuracy === undefined || accuracy === null
    ? { text: dash, value: null }
    : { text: points(accuracy), value: accuracy }
}

export function gainCell(difference: number | undefined): Cell {
  return difference === undefined ? { text: dash, value: null } : { text: signedPoints(difference), value: difference }
}

export function intervalCell(interval: { readonly low: number; readonly high: number } | undefined): Cell {
  return { text: interval === undefined ? '' : `${signedPoints(interval.low)} … ${signedPoints(interval.high)}` }
}
