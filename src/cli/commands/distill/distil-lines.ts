/** The plan of a distillation: tokens, dimensions, sizes. */
import { decimals, roughBytes } from '#core'
import type { DistilPlan } from '#experiment/write'
import { row } from '../../lines/rows.ts'

export function distilLines(plan: DistilPlan): string[] {
  const { counts } = plan
  const words = [
    [counts.words, 'own words'],
    [counts.severalWords, 'of several words'],
    [-counts.wrapping, 'special'],
    [-counts.matched, 'by the pattern'],
  ] as const
  const changed = words.filter(([count]) => count !== 0)
  return [
    row('model', `${plan.model}, ${sizeText(plan.modelBytes)}`),
    row('state', `${plan.representation}, ${plan.pooling} of the tokens`),
    row(
      'tokens',
      `${plan.tokens.toLocaleString('en')}${changed.length === 0 ? '' : ` (${changed.map(([count, what]) => `${count > 0 ? '+' : '−'}${Math.abs(count)} ${what}`).join(', ')})`}`,
    ),
    row(
      'table',
      plan.bytes === undefined
        ? `× as many components as the share needs, ${plan.dtype}`
        : `${(plan.clusters ?? plan.tokens).toLocaleString('en')} × ${plan.width} in ${plan.dtype}${plan.clusters === undefined ? '' : ', each token’s row and weight'}: ${sizeText(plan.bytes)}`,
    ),
    row('memory', `${roughBytes(plan.workingBytes)} for the vectors of the tokens, besides the model`),
    ...plan.notes.map((note) => row('notice', note)),
  ]
}

/** Megabytes of 10⁶ bytes, kilobytes for small ones. */
export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${decimals(bytes / 1e3, 1)} kB` : `${decimals(bytes / 1e6, 1)} MB`
}
