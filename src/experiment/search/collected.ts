/** Tables of mteb-layersweep: the output of its collector, and the pulls of its bandit. */
import { fault } from '#core'
import { readColumns } from '#files/tables'
import type { ScoreRow } from './grid.ts'

/** Column names of both; the bandit does not name the family. */
const tables = [
  { model: ['model_family', 'model_size'], checkpoint: 'revision', layer: 'layer', task: 'task', score: 'score' },
  { model: ['model_size'], checkpoint: 'arm_checkpoint', layer: 'arm_layer', task: 'task', score: 'raw_score' },
] as const

/**
 * Layers count blocks there, so layer 0 is hidden state 1. A line without a score is a failed task. Undefined for a
 * file of another kind; throws `table.read` for an incomplete line.
 */
export async function collectedScores(
  path: string,
): Promise<readonly (ScoreRow & { readonly model: string })[] | undefined> {
  if (!/\.[ct]sv$/.test(path)) return undefined
  const { rows, columns } = await readColumns([path])
  const table = tables.find(({ model, ...own }) =>
    [...model, ...Object.values(own)].every((name) => columns[name] !== undefined),
  )
  if (table === undefined) return undefined
  return Array.from({ length: rows }, (_, i) => i).flatMap((i) => {
    const at = (name: string): string => cellOf(columns[name]?.[i])
    const score = at(table.score)
    if (score === '' || score.toLowerCase() === 'nan') return []
    const [model, checkpoint, block, task] = [
      table.model.map(at).join('-'),
      at(table.checkpoint),
      at(table.layer),
      at(table.task),
    ]
    if (checkpoint === '' || task === '' || !/^\d+$/.test(block) || !Number.isFinite(Number(score)))
      throw fault('table.read', {
        place: `${path} › row ${i + 1}`,
        what: 'not a score of a layer',
        seen: { checkpoint, layer: block, task, score },
      })
    return [{ model, checkpoint, layer: `h${Number(block) + 1}`, task, score: Number(score) }]
  })
}

function cellOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value).trim() : ''
}
