/** The laws of merge methods, over seeded tensors: what Strata's own and the user's are held to. */
import { broken, type Law } from '#core'
import { randomState } from '#platform/random'
import { type Case, run } from './in-memory.ts'
import { compats, type MergeMethod, type ParameterSpec } from './method.ts'

/** Values of parameters for the laws, by name; lists are one value per input. */
export type Settings = Readonly<Record<string, unknown>>

/** Cases per law: every shape, from a single element on, several times. */
const cases = 24
/** multislerp's eps of 1e-8 on lengths of up to 10; slerp weighs the same tensor twice. */
const rounding = 1e-7

/**
 * The laws, in the order of a report. `settings`: values of a method's parameters; others are at their default, and
 * those without one at one half (flags: true, words: the first).
 */
export function mergeMethodLaws(settings: (method: MergeMethod) => Settings = () => ({})): Law<MergeMethod>[] {
  const law = (
    text: string,
    hold: (method: MergeMethod, given: Case) => Promise<void>,
    concerns?: (method: MergeMethod) => boolean,
  ): Law<MergeMethod> => ({
    law: text,
    concerns,
    async hold(method) {
      for (let seed = 0; seed < cases; seed++) await hold(method, drawn(method, seed, settings(method)))
    },
  })
  return [
    law('writes every element of the output', async (method, given) => {
      const { values } = await run(method, { ...given, unwritten: 1e300 })
      const at = values.indexOf(1e300)
      if (at >= 0) broken(where(given), `element ${at} is left as it was`)
    }),
    law('gives finite numbers for finite numbers, in every profile', async (method, given) => {
      for (const compat of compats) {
        const round = compat === 'mergekit-0.1.4' ? Math.fround : (value: number): number => value
        const { values } = await run(method, { ...given, compat, round })
        const at = values.findIndex((value) => !Number.isFinite(value))
        if (at >= 0) broken(`${where(given)}, ${compat}`, `element ${at} is not finite`, String(values[at]))
      }
    }),
    law('gives the same bits when it is asked twice', async (method, given) => {
      same((await run(method, given)).values, (await run(method, given)).values, where(given))
    }),
    law('gives the same bits in blocks of any size', async (method, given) => {
      const { values } = await run(method, given)
      for (const grains of [1, 7])
        same((await run(method, { ...given, grains })).values, values, `${where(given)}, blocks of ${grains}`)
    }),
    law('gives float32 tensors what it gives float64 ones, rounded once', async (method, given) => {
      const narrow = (await run(method, { ...given, dtype: 'f32', grains: 2 })).values
      same(narrow, (await run(method, given)).values.map(Math.fround), where(given))
    }),
    law('changes none of its inputs', async (method, given) => {
      const { changed } = await run(method, given)
      if (changed !== undefined) broken(where(given), changed)
    }),
    law('lets a NaN show', async (method, given) => {
      const at = (7 * where(given).length) % (given.inputs[0]?.length ?? 1)
      for (const model of given.inputs.keys()) {
        const inputs = given.inputs.map((values, k) => (k === model ? values.with(at, NaN) : values))
        const { values } = await run(method, { ...given, inputs })
        if (!Number.isNaN(values[at]))
          broken(where(given), `input ${model + 1} is NaN at ${at}, and the output is not`, values[at])
      }
    }),
    law(
      'gives the base where every input is the base',
      async (method, given) => {
        const { base = [] } = given
        const { values } = await run(method, { ...given, inputs: given.inputs.map(() => base) })
        const at = base.findIndex((value, i) => !(Math.abs((values[i] ?? NaN) - value) < rounding))
        if (at >= 0) broken(where(given), `element ${at}`, values[at], String(base[at]))
      },
      hasBase,
    ),
  ]
}

function hasBase({ base }: MergeMethod): boolean {
  return base === 'required' || base === 'optional'
}

function where({ shape, inputs }: Case): string {
  return `${inputs.length} inputs of ${shape.join(' × ')}`
}

function same(got: ArrayLike<number>, want: ArrayLike<number>, place: string): void {
  for (let i = 0; i < want.length; i++)
    if (!Object.is(got[i], want[i])) broken(place, `element ${i} is another`, got[i], String(want[i]))
}

/** float32 values a little apart from a base, some of them exactly on it. */
function drawn(method: MergeMethod, seed: number, settings: Settings): Case {
  const random = randomState(seed)
  const [rows, width] = [1 + (seed % 5), 1 + ((3 * seed) % 9)]
  const draw = (): number[] => [...random.randomSample(rows * width)].map((value) => Math.fround(2 * value - 1))
  const base = draw()
  const models = Math.max(method.inputs[0], Math.min(3, method.inputs[1]))
  const inputs = Array.from({ length: models }, () =>
    draw().map((value, i) => (value > 0.9 ? (base[i] ?? 0) : Math.fround((base[i] ?? 0) + value / 4))),
  )
  return {
    shape: seed % 2 === 0 ? [rows, width] : [rows * width],
    base: hasBase(method) ? base : undefined,
    inputs,
    params: {
      ...Object.fromEntries(
        Object.entries(method.parameters).flatMap(([name, spec]) =>
          spec.fallback === undefined ? [[name, usual(spec)]] : [],
        ),
      ),
      ...settings,
    },
  }
}

function usual({ kind, words }: ParameterSpec): number | boolean | string {
  if (kind === 'flag') return true
  return kind === 'word' ? (words?.[0] ?? '') : 0.5
}
