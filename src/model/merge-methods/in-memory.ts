/** Runs a method over tensors in memory, in blocks of any size, as the engine does over files: what its laws look at. */
import { elementCount, fault, type Floats } from '#core'
import { philox } from '#platform/random'
import type { Block, Compat, Kernel, MergeMethod, ParameterValue, TensorTask } from './method.ts'

export interface Case {
  shape: readonly number[]
  base?: readonly number[] | undefined
  inputs: readonly (readonly number[])[]
  /** Lists are one value an input. */
  params?: Readonly<Record<string, unknown>>
  compat?: Compat
  round?: (value: number) => number
  random?: TensorTask['random']
  /** Whole or along, by input. */
  extras?: readonly Readonly<Record<string, readonly number[]>>[]
  task?: Partial<TensorTask>
  /** Elements of a block in grains; default: everything at once. */
  grains?: number
  dtype?: 'f32' | 'f64'
  /** What the output holds before it is written; default: 0. */
  unwritten?: number
}

interface Outcome {
  values: Floats
  notes: readonly string[]
  grain: number
  /** The first operand that the method has written to. */
  changed: string | undefined
}

export function makeTask(
  method: MergeMethod,
  { shape, base, inputs, params = {}, compat = 'exact', round = (value) => value, random, extras, task }: Case,
): TensorTask {
  const shared: Record<string, ParameterValue | null> = {}
  const perModel: Record<string, ParameterValue | null>[] = inputs.map(() => ({}))
  for (const [name, { scope, fallback }] of Object.entries(method.parameters)) {
    const given = params[name] as ParameterValue | undefined
    if (given === undefined && fallback === undefined)
      throw fault('usage.value', { place: method.name, what: `needs ${name}` })
    const value = given ?? fallback ?? null
    if (scope === 'shared') shared[name] = value
    else
      perModel.forEach(
        (values, k) => (values[name] = Array.isArray(value) ? ((value as readonly number[])[k] ?? null) : value),
      )
  }
  return {
    name: 'layer.weight',
    shape,
    count: elementCount(shape),
    inputs: inputs.length,
    hasBase: base !== undefined,
    shared,
    perModel,
    compat,
    round,
    random: random ?? ((input) => philox(`7\0layer.weight\0${input}`)),
    ...(extras === undefined
      ? {}
      : {
          extras: extras.map((values) =>
            Object.fromEntries(Object.entries(values).map(([kind, list]) => [kind, Float64Array.from(list)])),
          ),
        }),
    ...task,
  }
}

export async function run(method: MergeMethod, given: Case): Promise<Outcome> {
  const task = makeTask(method, given)
  const kernel: Kernel = method.kernel(task)
  let changed: string | undefined
  const checked = (block: Block, work: () => void): void => {
    const before = operandsIn(block).map(([, values]) => values.slice())
    work()
    operandsIn(block).forEach(([name, values], k) => {
      const at = values.findIndex((value, i) => !Object.is(value, before[k]?.[i]))
      if (at >= 0) changed ??= `it wrote to element ${block.offset + at} of ${name}`
    })
  }
  for (const pass of kernel.passes)
    for (const block of blocks(given, kernel.grain, method)) checked(block, () => pass(block))
  await kernel.settle?.()
  const values = floats(
    given,
    Array.from({ length: task.count }, () => given.unwritten ?? 0),
  )
  for (const block of blocks(given, kernel.grain, method))
    checked(block, () => kernel.output(block, values.subarray(block.offset, block.offset + block.length)))
  return { values, notes: kernel.notes ?? [], grain: kernel.grain, changed }
}

function operandsIn({ base, inputs }: Block): (readonly [name: string, values: Floats])[] {
  return [
    ...(base === undefined ? [] : [['the base', base] as const]),
    ...inputs.map((values, k) => [`input ${k + 1}`, values] as const),
  ]
}

function floats({ dtype = 'f64' }: Case, values: readonly number[]): Floats {
  return dtype === 'f32' ? Float32Array.from(values) : Float64Array.from(values)
}

export function* blocks(given: Case, grain: number, method: MergeMethod): Generator<Block> {
  const { shape, base, inputs, extras, grains } = given
  const count = elementCount(shape)
  const step = grains === undefined ? count : grain * grains
  const kind = method.extra?.delivery === 'block' ? method.extra.kind : undefined
  for (let offset = 0; offset < count; offset += step) {
    const end = Math.min(count, offset + step)
    yield {
      offset,
      length: end - offset,
      base: base === undefined ? undefined : floats(given, base.slice(offset, end)),
      inputs: inputs.map((values) => floats(given, values.slice(offset, end))),
      ...(kind === undefined
        ? {}
        : {
            extras: inputs.map((_, k) =>
              extras?.[k]?.[kind] === undefined ? undefined : floats(given, extras[k][kind].slice(offset, end)),
            ),
          }),
    }
  }
}
