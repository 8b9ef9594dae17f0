/** An extraction's plan as lines for a person. */
import type { OpenedExtraction } from './extract-lora.ts'

export function extractionLines({ model, base, plan }: OpenedExtraction): string[] {
  const row = (name: string, text: string): string => `${name.padEnd(10)}  ${text}`
  const list = (names: readonly string[]): string => (names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', '))
  const kinds = new Map<string, { count: number; rank: number }>()
  for (const { module, rank } of plan.factors) {
    const name = module.slice(module.lastIndexOf('.') + 1)
    const known = kinds.get(name) ?? { count: 0, rank: 0 }
    kinds.set(name, { count: known.count + 1, rank: Math.max(known.rank, rank) })
  }
  const largest = Math.max(...plan.factors.map(({ rows, width }) => rows * width))
  return [
    row('model', model.model),
    row('base', base.model),
    ...Array.from(kinds, ([name, { count, rank }]) => row('factors', `${count} × ${name}, rank ≤ ${rank}`)),
    ...(plan.modulesToSave.length === 0 ? [] : [row('whole', list(plan.modulesToSave))]),
    row('output', `≤ ${(plan.bytes / 1e6).toFixed(1)} MB`),
    // the change, its transpose, its product with the vectors, the vectors, and what reading took
    row('memory', `≤ ${Math.ceil((256 * 2 ** 20 + 8 * 6 * largest) / 1e6)} MB`),
    ...plan.notes.map((note) => row('notice', note)),
  ]
}
