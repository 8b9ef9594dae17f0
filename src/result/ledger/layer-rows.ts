/**
 * Scores of layers as "Layer by Layer" (Skean et al. 2025) publishes them: one line per model, revision, layer, task
 * and split.
 */
import { fault } from '#core'
import { isObject } from '#files/formats'
import { readColumns } from '#files/tables'

/** One task at one layer. */
export interface LayerRow {
  /** `family-size` */
  readonly model: string
  readonly revision: string
  /** 0 … L, where 0 is the embeddings. */
  readonly layer: number
  readonly task: string
  readonly mtebVersion: string | undefined
  /** Split → subset → main score. */
  readonly scores: Readonly<Record<string, Readonly<Record<string, number>>>>
}

const columns = ['family', 'size', 'revision', 'layer', 'task', 'split', 'main_score']

/**
 * Rows in the order of the file. Throws `table.column` for a file of another kind, and `table.read`, with the line
 * number, for an incomplete line.
 */
export async function layerRows(path: string): Promise<LayerRow[]> {
  const { columns: read, rows: count } = await readColumns([path])
  const missing = columns.find((name) => read[name] === undefined)
  if (missing !== undefined)
    throw fault('table.column', {
      place: path,
      what: 'not scores of layers',
      wanted: missing,
      seen: Object.keys(read).slice(0, 8),
    })
  const found = new Map<string, LayerRow & { scores: Record<string, Record<string, number>> }>()
  for (let row = 0; row < count; row++) {
    const at = (name: string): string => textAt(read[name]?.[row])
    const [family = '', size = '', revision = '', layer = '', task = '', split = ''] = columns.map(at)
    const place = `${path} › line ${row + 1}`
    if ([family, size, revision, task, split].includes('') || !/^\d+$/.test(layer))
      throw fault('table.read', {
        place,
        what: 'not a score of a layer',
        seen: { family, size, revision, layer, task, split },
      })
    const key = JSON.stringify([family, size, revision, layer, task])
    const own = found.get(key) ?? {
      model: `${family}-${size}`,
      revision,
      layer: Number(layer),
      task,
      mtebVersion: at('mteb_version') || undefined,
      scores: {},
    }
    found.set(key, own)
    if (own.scores[split] !== undefined)
      throw fault('table.read', {
        place,
        what: 'the same task, layer and split came before',
        seen: { task, layer, split },
      })
    own.scores[split] = subsetsOf(read['main_score']?.[row], place)
  }
  return [...found.values()]
}

/** Subsets of other tasks are columns too, and empty here. */
function subsetsOf(value: unknown, place: string): Record<string, number> {
  const entries = isObject(value)
    ? Object.entries(value).filter(([, score]) => score !== null)
    : [['default', value] as const]
  const wrong = entries.find(([, score]) => typeof score !== 'number' || !Number.isFinite(score))
  if (entries.length === 0 || wrong !== undefined)
    throw fault('table.read', { place, what: 'not a score', seen: wrong === undefined ? value : wrong[1] })
  return Object.fromEntries(entries as [string, number][])
}

function textAt(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value).trim() : ''
}
