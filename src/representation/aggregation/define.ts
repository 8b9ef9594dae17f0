/** Ways of the user's own to combine layers: checked in shape when they are defined, named in every failure. */
import { declare, fault, type PluginSource, runPlugin } from '#core'
import type { AggregationMethod, Block, Combination } from './method.ts'

/** A way to combine layers as a plug-in writes it. */
export type AggregationDefinition = Omit<AggregationMethod, 'reference'> & Partial<Pick<AggregationMethod, 'reference'>>

const inputs = ['lambda', 'similarity', 'quality', 'clusters', 'corpus']

/**
 * A way to combine layers for a file that `--plugin` names; `strata aggregate --methods` then takes its name. `combine`
 * gets the similarity [n × n] and the quality [n] of a model's states and gives `{ kind: 'sum', weights, notes }`, or
 * blocks to be projected; `uses` names what moves the answer. Throws `plugin.invalid` for a field that is missing or of
 * another type.
 *
 * @example
 * ```ts
 * import { defineAggregationMethod } from 'strata-lm/plugin'
 *
 * export const ends = defineAggregationMethod({
 *   name: 'both_ends',
 *   uses: [],
 *   combine: ({ quality }) => ({
 *     kind: 'sum',
 *     weights: quality.map((_, h) => (h === 0 || h === quality.length - 1 ? 0.5 : 0)),
 *     notes: {},
 *   }),
 * })
 * console.log(ends.name, ends.uses) // → both_ends []
 * ```
 */
export function defineAggregationMethod(method: AggregationDefinition): AggregationMethod {
  const { name, uses, combine } = method
  const wrong = (what: string, seen: unknown, wanted: string): never => {
    throw fault('plugin.invalid', { place: `aggregation method ${name}`, what, seen, wanted })
  }
  if (!/^[a-z][a-z0-9_]*$/.test(name)) wrong('its name', name, 'small letters, digits and _, a letter first')
  if (!Array.isArray(uses) || !uses.every((one) => inputs.includes(one)))
    wrong('uses', uses, `a list, of ${inputs.join(', ')}`)
  if (typeof combine !== 'function') wrong('combine', typeof combine, 'a function')
  return declare('aggregation method', { reference: '', ...method })
}

/** The same method; whatever it throws, and answers that are none, name the plug-in. */
export function guarded(method: AggregationMethod, { path }: PluginSource): AggregationMethod {
  const place = `${path} › ${method.name}`
  return {
    ...method,
    async combine(known, options) {
      const made = await runPlugin(place, async () => method.combine(known, options))
      checkCombination(made, known.quality.length, place)
      return { ...made, notes: made.notes ?? {} }
    },
  }
}

function checkCombination(made: Combination, n: number, place: string): void {
  const isSum =
    made?.kind === 'sum' &&
    made.weights instanceof Float64Array &&
    made.weights.length === n &&
    made.weights.every(Number.isFinite) &&
    made.weights.some((weight) => weight !== 0)
  const isProjection =
    made?.kind === 'projection' &&
    Array.isArray(made.blocks) &&
    made.blocks.length > 0 &&
    made.blocks.every(
      ({ layers, factor }: Block) =>
        Number.isFinite(factor) &&
        layers.length > 0 &&
        layers.every((h: number) => Number.isInteger(h) && h >= 0 && h < n),
    )
  if (isSum || isProjection) return
  throw fault('plugin.failed', {
    place,
    what: 'its answer is no combination',
    seen: made?.kind === 'sum' ? [...(made.weights ?? [])] : made,
    wanted: `{ kind: 'sum', weights: a Float64Array of ${n} finite numbers, not all 0, notes }, or 'projection' with blocks of states below ${n}`,
  })
}
