/** Merge methods of the user's own: checked in shape when they are defined, named in every failure when they run. */
import { declare, fault, type PluginSource, runPlugin } from '#core'
import type { Block, Kernel, MergeMethod } from './method.ts'

/** A merge method as a plug-in writes it: there is no program that it could be compared with. */
export type MergeMethodDefinition = Omit<MergeMethod, 'tolerance' | 'reference'> &
  Partial<Pick<MergeMethod, 'reference'>>

const bases = ['required', 'optional', 'input', 'none']
const streamings = ['elementwise', 'reduction', 'selection', 'whole']

/**
 * A merge method for a file that `--plugin` names; recipes then name it as they name Strata's own. `kernel` is asked
 * once per output tensor and gives `output`, which writes one block of merged values, and `passes` that read the
 * tensor's blocks before. `strata plugin check` holds it to the laws of all merge methods. Throws `plugin.invalid` for a
 * field that is missing or of another type.
 *
 * @example
 * ```ts
 * import { defineMergeMethod } from 'strata-lm/plugin'
 *
 * export const median = defineMergeMethod({
 *   name: 'median_of_three',
 *   base: 'none',
 *   inputs: [3, 3],
 *   parameters: {},
 *   streaming: 'elementwise',
 *   kernel: () => ({
 *     grain: 1,
 *     passes: [],
 *     output({ inputs: [a, b, c], length }, out) {
 *       for (let i = 0; i < length; i++) out[i] = [a![i]!, b![i]!, c![i]!].sort((x, y) => x - y)[1]!
 *     },
 *   }),
 * })
 * console.log(median.name, median.streaming) // → median_of_three elementwise
 * ```
 */
export function defineMergeMethod(method: MergeMethodDefinition): MergeMethod {
  const { name, base, inputs, parameters, streaming, kernel } = method
  const wrong = (what: string, seen: unknown, wanted: string): never => {
    throw fault('plugin.invalid', { place: `merge method ${name}`, what, seen, wanted })
  }
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]*$/.test(name))
    wrong('its name', name, 'small letters, digits and _, a letter first')
  if (!bases.includes(base)) wrong('base', base, bases.join(', '))
  if (!Array.isArray(inputs) || inputs.length !== 2 || !inputs.every((count) => count >= 1))
    wrong('inputs', inputs, 'the smallest and the largest number of models: [1, Infinity]')
  if (!streamings.includes(streaming)) wrong('streaming', streaming, streamings.join(', '))
  if (typeof parameters !== 'object' || parameters === null) wrong('parameters', parameters, 'an object; {} for none')
  for (const [word, spec] of Object.entries(parameters))
    if (!['shared', 'model'].includes(spec?.scope) || !['number', 'flag', 'word'].includes(spec?.kind))
      wrong(`parameter ${word}`, spec, 'a scope (shared, model), a kind (number, flag, word) and a fallback')
  if (typeof kernel !== 'function') wrong('kernel', typeof kernel, 'a function')
  return declare('merge method', { reference: '', ...method, tolerance: 'no program to compare with' })
}

/** The same method; whatever it throws, and values that are not finite without need, name the plug-in and the tensor. */
export function guarded(method: MergeMethod, { path }: PluginSource): MergeMethod {
  return {
    ...method,
    kernel(task) {
      const place = `${path} › ${method.name} › ${task.name}`
      const made = runPlugin(place, () => method.kernel(task))
      checkKernel(made, place)
      return guardedKernel(made, place)
    },
  }
}

function checkKernel(made: Kernel, place: string): void {
  const seen = made as Partial<Kernel> | null | undefined
  if (Number.isInteger(seen?.grain) && Array.isArray(seen?.passes) && typeof seen?.output === 'function') return
  throw fault('plugin.failed', {
    place,
    what: 'its kernel lacks a field',
    seen: Object.keys(seen ?? {}),
    wanted: 'grain, passes, output',
  })
}

function guardedKernel(made: Kernel, place: string): Kernel {
  return {
    grain: made.grain,
    passes: made.passes.map((pass) => (block: Block) => runPlugin(place, () => pass(block))),
    output(block, out) {
      runPlugin(place, () => made.output(block, out))
      const at = out.findIndex((value, i) => !Number.isFinite(value) && isFiniteAt(block, i))
      if (at < 0) return
      throw fault('plugin.failed', {
        place,
        what: `element ${block.offset + at} is not a finite number, and the inputs are`,
        seen: String(out[at]),
      })
    },
    get notes() {
      return made.notes ?? []
    },
    ...(made.sample === undefined ? {} : { sample: (block: Block) => runPlugin(place, () => made.sample?.(block)) }),
    ...(made.needs === undefined
      ? {}
      : { needs: (pass: number) => runPlugin(place, () => made.needs?.(pass) !== false) }),
    ...(made.settle === undefined ? {} : { settle: () => runPlugin(place, async () => made.settle?.()) }),
  }
}

function isFiniteAt({ base, inputs }: Block, at: number): boolean {
  return [...(base === undefined ? [] : [base]), ...inputs].every((values) => Number.isFinite(values[at]))
}
