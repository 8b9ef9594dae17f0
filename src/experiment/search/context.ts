/** A policy's prior knowledge of an arm, before it is pulled. */
import { mean, populationDeviation } from '#core'
import type { Arm } from './policy.ts'

/** Rows of equal length, an intercept first; undefined for arms without features. */
export type Context = readonly (readonly number[] | undefined)[]

/**
 * Every feature less its mean over the arms, over its standard deviation (ddof 0); one that is the same everywhere is
 * 0. An intercept of 1 stands first.
 */
export function standardised(arms: readonly Arm[]): Context {
  const known = arms.flatMap(({ features }) => (features === undefined ? [] : [features]))
  const scales = (known[0] ?? []).map((_, column) => {
    const values = known.map((features) => features[column] ?? 0)
    return { middle: mean(values), deviation: populationDeviation(values) }
  })
  return arms.map(
    ({ features }) =>
      features && [
        1,
        ...scales.map(({ middle, deviation }, column) =>
          deviation > 0 ? ((features[column] ?? 0) - middle) / deviation : 0,
        ),
      ],
  )
}
