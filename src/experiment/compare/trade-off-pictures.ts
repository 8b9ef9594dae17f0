/** Score against measured speed and against size: the rows that no other row beats on both are joined. */
import { quantity } from '#core'
import { fastestRate, type Speed } from '#experiment/bench'
import { pointsByValue } from '#result/pictures'
import type { TitledPicture } from '#result/report'
import { frontierNames } from '#result/statistics'
import type { Comparison } from './compare-models.ts'

interface Point {
  readonly name: string
  readonly x: number
  readonly y: number
}

/** None without measured speed, and where fewer than two rows have a mean score. */
export function tradeOffPictures({ report, speed }: Pick<Comparison, 'report' | 'speed'>): TitledPicture[] {
  if (speed === null) return []
  const standing = report.standings.find(({ whole, rows }) => whole && rows.length > 1)
  const place = (x: (row: Speed['rows'][number]) => number): Point[] =>
    speed.rows.flatMap((row) => {
      const mean = standing?.rows.find(({ name }) => name === row.name)?.mean
      return mean === null || mean === undefined ? [] : [{ name: row.name, x: x(row), y: 100 * mean }]
    })
  const [rates, sizes] = [place(({ sizes: own }) => fastestRate(own)), place(({ fileBytes }) => fileBytes / 1e6)]
  if (rates.length < 2) return []
  const tasks =
    standing?.common.length === 1 ? standing.common[0] : `mean over ${quantity(standing?.common.length ?? 0, 'task')}`
  const up = 'score × 100'
  const line = 'the line joins the rows that no other row beats on both'
  return [
    {
      title: 'Score against speed',
      picture: pointsByValue({
        title: 'Score against speed',
        subtitle: `${tasks}; ${line}`,
        across: `texts/s on this machine, ${quantity(speed.threads, 'thread')}, fastest batch size`,
        up,
        points: rates,
        logarithmic: true,
        joined: frontierNames(rates),
      }),
    },
    {
      title: 'Score against size',
      picture: pointsByValue({
        title: 'Score against size',
        subtitle: `${tasks}; ${line}`,
        across: 'files (MB): weights, tokenizer, configuration',
        up,
        points: sizes,
        // less is better
        joined: frontierNames(sizes.map((point) => ({ ...point, x: -point.x }))),
      }),
    },
  ]
}
