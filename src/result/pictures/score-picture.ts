/** The results of a sweep as a picture: every task's scores along the layers. */
import { grouped, type Result } from '#core'
import { hiddenState, finishedScore } from '#result/ledger'
import { toOurs, scoreInterval } from '#result/statistics'
import type { Picture } from './picture.ts'
import { scoreByLayer, type ScoreLine, type ScorePoint } from './score-by-layer.ts'

/**
 * One line per model and task, with intervals where the scores of single items are stored below `root`. Undefined
 * without a score.
 */
export async function scorePicture(results: readonly Result[], root: string): Promise<Picture | undefined> {
  const models = [...new Set(results.map(({ strata }) => strata.model))]
  const lines = new Map<
    string,
    { layers: ScoreLine['layers'][number][]; others: NonNullable<ScoreLine['others']>[number][] }
  >()
  let draws: number | undefined
  for (const result of results) {
    const { model, representation } = result.strata
    const score = finishedScore(result)
    const [ours] = toOurs(root, [result])
    if (score === null || ours === undefined) continue
    const interval = await scoreInterval(ours)
    draws ??= interval?.draws
    const point: ScorePoint = { score, low: interval?.low, high: interval?.high }
    const name = models.length > 1 ? `${result.task_name} · ${model}` : result.task_name
    const line = lines.get(name) ?? { layers: [], others: [] }
    lines.set(name, line)
    const h = hiddenState(representation)
    if (h === undefined) line.others.push({ ...point, name: representation })
    else line.layers.push({ ...point, h })
  }
  if (lines.size === 0) return undefined
  return scoreByLayer({
    title: models.length === 1 ? `${models[0] ?? ''}: scores by layer` : 'Scores by layer',
    subtitle: [
      ...(lines.size === 1 ? lines.keys() : []),
      ...(draws === undefined ? [] : [`95 % intervals: bootstrap over items, ${grouped(draws)} draws`]),
    ].join(' · '),
    lines: [...lines].map(([name, { layers, others }]) => ({ name, layers: layers.sort((a, b) => a.h - b.h), others })),
  })
}
