/** Metrics, searches, replays and similarities as tables. */
import { dash, decimals, percent, points } from '#core'
import type { MetricCorrelation, ReplayRecord, SearchRecord, SimilarityRecord } from './companions.ts'
import type { Report } from './report.ts'
import { type Cell, counted, numbers, type Table } from './table.ts'

export function companionTables({ metrics, beside, standings }: Report): Table[] {
  return [
    ...(metrics.length === 0
      ? []
      : [metricsTable(metrics, Math.max(0, ...standings.map(({ common }) => common.length)))]),
    ...(beside.searches.length === 0 ? [] : [searchesTable(beside.searches)]),
    ...beside.replays.map(replayTable),
    ...beside.similarities.map(similarityTable),
  ]
}

function metricsTable(metrics: readonly MetricCorrelation[], tasks: number): Table {
  return {
    id: 'metrics',
    title: 'Metrics against scores',
    notes: [
      `Spearman's rank correlation of a metric with the mean over ${tasks} ${tasks === 1 ? 'task' : 'tasks'}, row by row; interval: 95 % of a bootstrap over rows. Layers of one checkpoint resemble each other, so the interval is rather too narrow.`,
    ],
    columns: [{ title: 'metric' }, ...numbers('rows', 'ρ', 'low', 'high')],
    rows: metrics.map(({ name, rows, rho, low, high }) => [
      { text: name },
      counted(rows),
      ...[rho, low, high].map(thousandths),
    ]),
  }
}

function searchesTable(searches: readonly SearchRecord[]): Table {
  return {
    id: 'searches',
    title: 'Searches',
    notes: ['The best arm is the one with the highest reward; its mean score × 100 is over the tasks of the search.'],
    columns: [
      { title: 'search' },
      { title: 'policy' },
      { title: 'pulls', number: true },
      { title: 'best arm' },
      ...numbers('reward', 'mean'),
    ],
    rows: searches.map(({ name, policy, spent, best, reward, curve }) => [
      { text: name },
      { text: policy },
      counted(spent),
      { text: best },
      thousandths(reward),
      { text: points(curve.at(-1)), value: curve.at(-1) ?? null },
    ]),
  }
}

function similarityTable({ name, metric, rows, columns, values }: SimilarityRecord, at: number): Table {
  return {
    id: `similarity-${at}`,
    title: `${metric} of ${name}`,
    notes: rows === columns ? [] : [`Layers of ${rows} in rows, of ${columns} in columns.`],
    columns: [{ title: 'layer' }, ...numbers(...(values[0] ?? []).map((_, h) => `h${h}`))],
    rows: values.map((line, h) => [{ text: `h${h}` }, ...line.map(thousandths)]),
  }
}

function replayTable({ model, arms, tasks, best, replays }: ReplayRecord, at: number): Table {
  const budgets = replays[0]?.points.map(({ budget }) => budget) ?? []
  return {
    id: `replay-${at}`,
    title: `Searches replayed over ${model}`,
    notes: [
      `${arms} arms, ${tasks} tasks. Regret: reward of the best arm (${best.arm}, ${decimals(best.reward, 4)}) minus that of the best one found; for several runs the mean, with the median rank in brackets and the 5th to 95th percentile where the pointer rests.`,
    ],
    columns: [{ title: 'policy' }, ...numbers('runs', ...budgets.map((budget) => `after ${budget}`))],
    rows: replays.map(({ policy, runs, points: after }) => [
      { text: policy },
      counted(runs),
      ...after.map(({ regret, low, high, rank, best: found, share }): Cell => {
        if (regret === null) return { text: dash, value: null, tip: 'no arm is complete' }
        const band = runs > 1 && low !== null && high !== null ? `${decimals(low, 3)} … ${decimals(high, 3)}; ` : ''
        return {
          text: `${decimals(regret, 4)} (${rank ?? dash})`,
          value: regret,
          best: regret === 0,
          tip: `${band}${found} in ${percent(share, { digits: 0 })} of the runs`,
        }
      }),
    ]),
  }
}

function thousandths(value: number | null): Cell {
  return { text: decimals(value, 3), value }
}
