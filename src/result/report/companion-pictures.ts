/** Pictures of the companions: metrics, searches and similarities. */
import { decimals } from '#core'
import type { MetricCorrelation, ReplayRecord, SearchRecord, SimilarityRecord } from './companions.ts'
import { layerHeatMap, pointsByValue, regretCurves, scoreByPull } from '#result/pictures'
import type { Report } from './report.ts'
import { nameCheckpoint, inOrder, type TitledPicture } from './report-pictures.ts'

export function companionPictures({ metrics, beside, rows }: Report): TitledPicture[] {
  const { searches, replays, similarities } = beside
  // the others are in the table
  const [first] = metrics.filter(({ points }) => points.length > 2)
  const checkpoints = new Map(rows.map((row) => [row.name, nameCheckpoint(row, rows)]))
  return [
    ...(first === undefined ? [] : [againstMetric(first, checkpoints)]),
    ...(searches.length === 0 ? [] : [byPull(searches)]),
    ...replays.map(ofReplay),
    ...similarities.map(ofSimilarity),
  ]
}

function againstMetric(
  { name, rows, rho, low, high, points }: MetricCorrelation,
  checkpoints: ReadonlyMap<string, string>,
): TitledPicture {
  const title = `Score against ${name}`
  const order = inOrder([...new Set(checkpoints.values())])
  const placeOf = (row: string): number => order.indexOf(checkpoints.get(row) ?? '')
  const interval = low === null || high === null ? '' : ` [${decimals(low, 2)}, ${decimals(high, 2)}]`
  return {
    title,
    picture: pointsByValue({
      title,
      subtitle: `${rows} rows; Spearman ${decimals(rho, 3)}${interval}`,
      across: name,
      up: 'mean score × 100',
      points: points
        .toSorted((a, b) => placeOf(a.row) - placeOf(b.row))
        .map(({ row, value, score }) => ({ name: row, x: value, y: 100 * score, group: checkpoints.get(row) })),
    }),
  }
}

function byPull(searches: readonly SearchRecord[]): TitledPicture {
  const title = 'Best arm found after each pull'
  return {
    title,
    picture: scoreByPull({
      title,
      subtitle: 'mean score × 100 of the best arm so far',
      lines: searches.map(({ name, policy, curve }) => ({ name: searches.length > 1 ? name : policy, scores: curve })),
    }),
  }
}

function ofReplay({ model, arms, tasks, replays }: ReplayRecord): TitledPicture {
  const title = `Search over ${arms} arms of ${model}`
  return {
    title,
    picture: regretCurves({
      title,
      subtitle: `${tasks} tasks; bands hold 90 of 100 runs`,
      curves: replays.map(({ policy, curve }) => ({
        name: policy,
        points: curve.flatMap(({ budget, regret, low, high }) =>
          regret === null ? [] : [{ budget, regret, low: low ?? regret, high: high ?? regret }],
        ),
      })),
      unit: 'pulls',
    }),
  }
}

function ofSimilarity({ name, metric, rows, columns, values }: SimilarityRecord): TitledPicture {
  const title = `${metric} of layers, ${name}`
  return { title, picture: layerHeatMap({ title, metric, values, rows, columns }) }
}
