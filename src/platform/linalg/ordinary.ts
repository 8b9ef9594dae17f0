/** Matrices of very large or very small entries, whose squares would overflow or vanish. */
import type { Matrix64 } from '#core'

/**
 * The matrix divided by `unit`: 1, and the matrix itself, where squares are no danger; NaN where an entry is not finite.
 */
export function ordinary(a: Matrix64): { readonly matrix: Matrix64; readonly unit: number } {
  let largest = 0
  for (let at = 0; at < a.data.length; at++) largest = Math.max(largest, Math.abs(a.data[at]!))
  if (!Number.isFinite(largest)) return { matrix: a, unit: NaN }
  if (largest === 0 || (largest > 1e-100 && largest < 1e100)) return { matrix: a, unit: 1 }
  return { matrix: { ...a, data: a.data.map((value) => value / largest) }, unit: largest }
}
