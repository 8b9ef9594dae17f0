/** The plan of an extraction: modules with factors, modules saved in full, the cost. */
import { duration } from '#core'
import type { ExtractionDescription } from '#experiment/write'
import { row } from '../../lines/rows.ts'

export function extractionLines({
  model,
  base,
  factors,
  modulesToSave,
  bytes,
  memoryBytes,
  seconds,
  notes,
}: ExtractionDescription): string[] {
  const more = modulesToSave.length > 6 ? ` and ${modulesToSave.length - 6} more` : ''
  return [
    row('model', model),
    row('base', base),
    ...Object.entries(factors).map(([name, { modules, rank }]) =>
      row('factors', `${modules} × ${name}, rank ≤ ${rank}`),
    ),
    ...(modulesToSave.length === 0 ? [] : [row('in full', `${modulesToSave.slice(0, 6).join(', ')}${more}`)]),
    row('output', `≤ ${(bytes / 1e6).toFixed(1)} MB`),
    row('memory', `≤ ${Math.ceil(memoryBytes / 1e6)} MB`),
    row('time', `roughly ${duration(Math.max(1, seconds))}`),
    ...notes.map((note) => row('notice', note)),
  ]
}
