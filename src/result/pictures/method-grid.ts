/** Method × task: the score as text, its distance from the best as colour. */
import { dash, points } from '#core'
import type { Caption, Picture } from './picture.ts'
import { shadedCells } from './shaded-cells.ts'

export interface MethodGrid extends Caption {
  readonly methods: readonly string[]
  readonly tasks: readonly string[]
  /** [methods][tasks], in 0 … 1; null where there is none. */
  readonly scores: readonly (readonly (number | null)[])[]
  /** What a row is; default: a method. */
  readonly row?: string | undefined
}

/** Up to this number of tasks, scores are written in the cells. */
const written = 12

/**
 * Scores of methods × tasks as a picture; the best of each task is framed, several where they agree in the printed
 * digits.
 *
 * @example
 * ```ts
 * import { methodGrid, renderPicture } from 'strata-lm/report'
 *
 * const picture = methodGrid({
 *   title: 'Methods',
 *   methods: ['mean', 'best'],
 *   tasks: ['STS17'],
 *   scores: [[0.71], [0.74]],
 * })
 * const svg = Buffer.from(await renderPicture(picture, { format: 'svg' })).toString()
 * console.log(svg.includes('Methods')) // → true
 * ```
 */
export function methodGrid({ methods, tasks, scores, row = 'method', ...named }: MethodGrid): Picture {
  const best = tasks.map((_, column) => Math.max(...scores.map((row) => row[column] ?? -Infinity)))
  const behind = scores.map((row) =>
    tasks.map((_, column) => (row[column] == null ? null : 100 * ((row[column] ?? 0) - (best[column] ?? 0)))),
  )
  const worst = Math.min(...behind.flat().map((value) => value ?? 0))
  return shadedCells({
    ...named,
    rows: { title: row, labels: methods },
    columns: { title: 'task', labels: tasks },
    legend: 'points to the best',
    domain: [worst < 0 ? worst : -1, 0],
    cell: tasks.length <= written ? { width: 72, height: 26 } : { width: 22, height: 20 },
    cells: behind.map((row, i) =>
      row.map((value, column) => {
        const [score, top] = [scores[i]?.[column], best[column]]
        if (value === null || score == null) return { value: null, text: dash }
        const text = points(score)
        const framed = text === points(top)
        return tasks.length <= written ? { value, text, framed } : { value, framed }
      }),
    ),
  })
}
