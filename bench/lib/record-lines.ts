/** What `all` prints: a line when a bench is through, and the table at the end. */
import type { Comparison } from './records.ts'

export type Outcome = { readonly name: string } & (
  | ({ readonly kind: 'compared'; readonly of: string; readonly isOtherProcessor: boolean } & Comparison)
  /** It ran, and nobody recorded it before. */
  | { readonly kind: 'new' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'skipped'; readonly missing: readonly string[] }
)

/** Above this a bench is called slower: what two runs of one program differ by on a machine at rest. */
const noise = 1.1

/** One line for a bench that is through. */
export function lineOf(outcome: Outcome | undefined): string {
  return outcome === undefined ? '' : `${outcome.name}: ${wordsOf(outcome)}`
}

/**
 * The rows of the table, the most slowed down first, then those without a figure.
 *
 * @example
 *   linesOf([{ name: 'bm25', kind: 'skipped', missing: ['python'] }], { against: 'LAST' })
 */
export function linesOf(outcomes: readonly Outcome[], { against }: { against: string }): string[][] {
  const ratio = (outcome: Outcome): number => (outcome.kind === 'compared' ? (outcome.slower ?? 0) : -1)
  return [
    ['bench', 'time now / then', 'memory', 'other programs', 'figures', `record (${against})`, ''],
    ...outcomes
      .toSorted((a, b) => ratio(b) - ratio(a))
      .map((outcome) => [outcome.name, ...cellsOf(outcome), wordsOf(outcome)]),
  ]
}

function cellsOf(outcome: Outcome): string[] {
  if (outcome.kind !== 'compared') return ['', '', '', '', '']
  const { slower, memory, peersSlower, compared, figures, of } = outcome
  return [times(slower), times(memory), times(peersSlower), `${compared} of ${figures}`, of]
}

function wordsOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'skipped':
      return `skipped, without ${outcome.missing.join(', ')}`
    case 'failed':
      return 'failed'
    case 'new':
      return 'no record to compare with'
    case 'compared':
      return comparedWords(outcome)
    default:
      return outcome satisfies never
  }
}

function comparedWords({ slower, worst, isOtherProcessor }: Outcome & { readonly kind: 'compared' }): string {
  if (slower === undefined) return 'no figure of the record was measured now'
  const isSlower = worst !== undefined && worst.ratio > noise
  return [
    slower > noise ? 'SLOWER' : 'as fast',
    ...(isSlower ? [`worst ${times(worst.ratio)}: ${worst.place}`] : []),
    ...(isOtherProcessor ? ['another processor'] : []),
  ].join('; ')
}

function times(ratio: number | undefined): string {
  return ratio === undefined ? '–' : `${ratio.toFixed(2)} ×`
}
