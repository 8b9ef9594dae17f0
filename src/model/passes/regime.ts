/**
 * Rotary scalings that look at the longest sequence of a batch: which lengths may share one, so that a text's vectors
 * never depend on its neighbours.
 */
import type { ModelSpec } from '#model/architectures'

/**
 * Equal numbers may share a batch. `longrope` has a short and a long regime; `dynamic` grows its base with every
 * further token.
 */
export function regimeOf({ attention }: ModelSpec): (length: number) => number {
  if (attention.positions.kind !== 'rotary') return () => 0
  const rules = attention.positions.tables.flatMap(({ scaling }) => {
    if (scaling.kind === 'longrope') return [(length: number) => (length > scaling.trainedLength ? 1 : 0)]
    if (scaling.kind === 'dynamic') return [(length: number) => Math.max(0, length - scaling.trainedLength)]
    return []
  })
  return (length) => rules.reduce((regime, rule) => regime * 1_000_003 + rule(length), 0)
}

/**
 * Tokens up to which `longrope` turns by its short factors: the next one changes what all before it are, and they pass
 * again (transformers, Phi-3).
 */
export function lastShortLength({ attention }: ModelSpec): number {
  const tables = attention.positions.kind === 'rotary' ? attention.positions.tables : []
  return Math.min(
    ...tables.map(({ scaling }) => (scaling.kind === 'longrope' ? scaling.trainedLength : Infinity)),
    Infinity,
  )
}
