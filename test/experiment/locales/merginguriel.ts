/** A folder of results as merginguriel writes it, for tests: the recorded table of 2025-09-17. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const types = ['baseline', 'similarity', 'average'] as const

export interface RecordedRow {
  readonly locale: string
  readonly accuracies: readonly (number | null)[]
}

/** By locale: accuracies of the three types, null where none is recorded. */
export const recordedRows: readonly RecordedRow[] = readFileSync(
  join(import.meta.dirname, 'golden', 'recorded.csv'),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [locale = '', ...cells] = line.split(',')
    return { locale, accuracies: cells.map((cell) => (cell === '' ? null : Number(cell))) }
  })

export function writeRun(
  folder: string,
  { accuracy, locale, total = 2974 }: { accuracy: unknown; locale: string; total?: number },
): void {
  mkdirSync(folder, { recursive: true })
  const found = {
    evaluation_info: { timestamp: '2025-09-17T08:00:00', model_name: `merged/${locale}`, subfolder: null, locale },
    performance: { accuracy, correct_predictions: 7, total_predictions: total, error_rate: 0.5 },
    examples: [],
  }
  writeFileSync(join(folder, 'results.json'), JSON.stringify(found))
}

export function writeRecorded(root: string): void {
  for (const { locale, accuracies } of recordedRows)
    for (const [i, accuracy] of accuracies.entries())
      if (accuracy !== null) writeRun(join(root, `${types[i] ?? ''}_${locale}`), { accuracy, locale })
}
