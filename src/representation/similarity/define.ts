/** Similarities of the user's own: checked in shape when they are defined, named in every failure when they run. */
import { declare, fault, type Matrix, type PluginSource, runPlugin } from '#core'
import { pairwise, type Similarity } from './similarity.ts'

/** A similarity as a plug-in writes it: `pair` compares two layers, [texts × width] each, rows aligned. */
export interface SimilarityDefinition extends Pick<Similarity, 'name' | 'range' | 'symmetric' | 'widths'> {
  readonly title?: string
  readonly reference?: string
  readonly pair: (x: Matrix, y: Matrix) => Promise<number> | number
}

/**
 * A similarity for a file that `--plugin` names; `strata similarity --metrics` and `strata aggregate --similarity` then
 * take its name. Throws `plugin.invalid` for a field that is missing or of another type.
 *
 * @example
 * ```ts
 * import { defineSimilarity } from 'strata-lm/plugin'
 *
 * export const sameSigns = defineSimilarity({
 *   name: 'same_signs',
 *   range: [0, 1],
 *   symmetric: true,
 *   widths: 'equal',
 *   pair: (x, y) => x.data.filter((value, i) => Math.sign(value) === Math.sign(y.data[i]!)).length / x.data.length,
 * })
 * console.log(sameSigns.name, sameSigns.range) // → same_signs [ 0, 1 ]
 * ```
 */
export function defineSimilarity(definition: SimilarityDefinition): Similarity {
  const { name, title = name, range, symmetric, widths, pair } = definition
  const wrong = (what: string, seen: unknown, wanted: string): never => {
    throw fault('plugin.invalid', { place: `similarity ${name}`, what, seen, wanted })
  }
  if (!/^[a-z][a-z0-9_]*$/.test(name)) wrong('its name', name, 'small letters, digits and _, a letter first')
  // the name of a file
  if (!/^[\w-]+$/.test(title)) wrong('title', title, 'letters, digits, _ and -')
  if (!Array.isArray(range) || range.length !== 2 || !(range[0] < range[1]))
    wrong('range', range, 'its lowest and its highest value')
  if (typeof symmetric !== 'boolean') wrong('symmetric', symmetric, 'true or false')
  if (!['any', 'equal'].includes(widths)) wrong('widths', widths, 'any or equal')
  if (typeof pair !== 'function') wrong('pair', typeof pair, 'a function')
  return declare('similarity', {
    name,
    title,
    reference: definition.reference ?? '',
    range,
    symmetric,
    widths,
    between: pairwise({ symmetric, ready: (layer) => layer, pair }),
  })
}

/** The same similarity; whatever it throws, and values that are no finite numbers, name the plug-in. */
export function guarded(similarity: Similarity, { path }: PluginSource): Similarity {
  const place = `${path} › ${similarity.name}`
  return {
    ...similarity,
    async between(xs, ys) {
      const values = await runPlugin(place, () => similarity.between(xs, ys))
      const at = values.findIndex((value) => !Number.isFinite(value))
      if (at < 0) return values
      throw fault('plugin.failed', {
        place,
        what: `its value of pair ${at + 1} is not a finite number`,
        seen: String(values[at]),
      })
    },
  }
}
