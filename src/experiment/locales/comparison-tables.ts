/** A comparison of locales as tables for a terminal or a page. */
import { dash, decimals, points, pPhrase, pText, quantity, signedPoints } from '#core'
import { type Cell, numbers, type Table } from '#result/report'
import type { LocaleComparison, TypePair } from './compare-locales.ts'
import { improvement } from './comparison-files.ts'

/** Statistics by type, accuracies by locale, paired tests. */
export function comparisonTables(comparison: LocaleComparison): Table[] {
  return [summaryTable(comparison), localeTable(comparison), pairTable(comparison)]
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
      ...[one.mean_accuracy, one.std_accuracy, one.min_accuracy, one.max_accuracy].map(score),
    ]),
  }
}

function localeTable({ types, rows, summary }: LocaleComparison): Table {
  const improved = types.filter((type) => type !== 'baseline')
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
      const best = Math.max(...improved.map((type) => accuracy[type] ?? -Infinity))
      return [
        { text: locale },
        ...types.map((type) => ({
          ...score(accuracy[type]),
          best: improved.length > 1 && type !== 'baseline' && accuracy[type] === best,
        })),
        ...improved.map((type) => gain(improvement(accuracy, type))),
      ]
    }),
  }
}

function pairTable({ pairs }: LocaleComparison): Table {
  return {
    id: 'pairs',
    title: 'Paired tests over locales',
    notes: pairs.flatMap((pair) => (isAnswer(pair) ? [pairSentence(pair)] : [])),
    columns: [
      { title: 'pair' },
      ...numbers('locales', 'wins', 'losses', 'ties', 'difference', 't', 'p of t', 'of signs', 'of flipped signs'),
      ...numbers('of signed ranks', "Holm's"),
    ],
    rows: pairs.map(({ first, second, over, locales, wins, losses, ties, difference, t, p }) => [
      { text: `${first} − ${second}` },
      { text: over === 'complete' ? `${locales}, with all three` : String(locales), value: locales },
      ...[wins, losses, ties].map((count) => ({ text: String(count), value: count })),
      gain(difference),
      { text: decimals(t, 2), value: t },
      ...[p.t, p.sign, p.permutation, p.wilcoxon, p.holm].map((value) => ({ text: pText(value), value })),
    ]),
  }
}

/** Every merge against the average; that and the choice by similarity against the sources and the model of the locale. */
function isAnswer({ first, second, over }: TypePair): boolean {
  const merges = ['similarity', 'average']
  return over === 'shared' && (second === 'average' || (merges.includes(first) && second !== 'weighted source'))
}

/** What a pair says: who is ahead, where, and whether chance would do as well. */
function pairSentence({ first, second, locales, wins, losses, ties, difference, p }: TypePair): string {
  const counts = `${first} is ahead of ${second} on ${wins} of ${quantity(locales, 'locale')}, behind on ${losses}${ties === 0 ? '' : `, level on ${ties}`}`
  const verdict = p.holm < 0.05 ? 'more than chance' : 'no more than chance'
  return `${counts}: ${signedPoints(difference)} points on average, ${verdict} (signed ranks, Holm: ${pPhrase(p.holm)}).`
}

function score(accuracy: number | null | undefined): Cell {
  return accuracy === undefined || accuracy === null
    ? { text: dash, value: null }
    : { text: points(accuracy), value: accuracy }
}

function gain(difference: number | undefined): Cell {
  return difference === undefined ? { text: dash, value: null } : { text: signedPoints(difference), value: difference }
}
