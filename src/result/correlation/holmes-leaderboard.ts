/** Leaderboards of Holmes and Flash-Holmes (Waldis et al. 2024, data/leaderboards of their repository): a row a probing data set and training portion, a column a model. */
import { fault } from '#core'
import { readColumns } from '#files/tables'
import type { ScoreRow, ScoreTable } from './score-table.ts'

const described = ['probing dataset', 'linguistic subfield', 'linguistic phenomena', 'probe type', 'train portion', 'probe']

/** Only blank cells are missing: a negative value is a correlation. Probes without a competency are left out and told. */
export async function readHolmes(path: string, { portion }: { portion?: number | undefined } = {}): Promise<ScoreTable> {
  const { columns, rows: count } = await readColumns([path])
  const text = (name: string, row: number): string => {
    const value = columns[name]?.[row]
    return typeof value === 'string' ? value.trim() : ''
  }
  for (const name of described.slice(0, 2))
    if (columns[name] === undefined)
      throw fault('table.column', { place: path, what: 'not a Holmes leaderboard', wanted: name, seen: Object.keys(columns).slice(0, 8) })
  const models = Object.keys(columns).filter((name) => name !== '' && !described.includes(name))
  const portions = [...new Set(Array.from({ length: count }, (_, row) => Number(text('train portion', row) || 1)))].sort((a, b) => a - b)
  const chosen = portion ?? portions.at(-1)
  const rows: ScoreRow[] = []
  const unplaced: string[] = []
  for (let row = 0; row < count; row++) {
    if (Number(text('train portion', row) || 1) !== chosen) continue
    const [name, group] = [text('probing dataset', row), text('linguistic subfield', row)]
    if (group === '') unplaced.push(name)
    else rows.push({ name, group, values: models.map((model) => scoreOf(text(model, row), `${path} › ${name} › ${model}`)) })
  }
  if (rows.length === 0) throw fault('table.empty', { place: path, what: 'no probe of this training portion', seen: chosen, wanted: portions })
  const notices = unplaced.length === 0 ? [] : [`probes without a competency, left out: ${unplaced.join(', ')}`]
  if (portions.length > 1) notices.push(`training portion ${chosen} of ${portions.join(', ')}`)
  return { models: models.map((model) => model.replace('__', '/')), rows, notices }
}

function scoreOf(text: string, place: string): number | null {
  if (text === '') return null
  const value = Number(text)
  if (!Number.isFinite(value)) throw fault('table.read', { place, what: 'not a score', seen: text })
  return value
}
