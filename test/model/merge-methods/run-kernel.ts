/** Runs a method over tensors in memory, in blocks of any size, as the engine would over files. */
import { elementCount, type Floats } from '#core'
import { philox } from '#platform/random'
import type {
  Block,
  Compat,
  Kernel,
  MergeMethod,
  ModelPass,
  ParameterValue,
  TensorTask,
} from '../../../src/model/merge-methods/method.ts'

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
}

export interface Outcome {
  values: Floats
  notes: readonly string[]
  grain: number
}

export function taskOf(
  method: MergeMethod,
  { shape, base, inputs, params = {}, compat = 'exact', round = (value) => value, random, extras, task }: Case,
): TensorTask {
  const shared: Record<string, ParameterValue | null> = {}
  const perModel: Record<string, ParameterValue | null>[] = inputs.map(() => ({}))
  for (const [name, { scope, fallback }] of Object.entries(method.parameters)) {
    const given = params[name] as ParameterValue | undefined
    if (given === undefined && fallback === undefined) throw new Error(`${method.name} needs ${name}`)
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
  const task = taskOf(method, given)
  const kernel: Kernel = method.kernel(task)
  for (const pass of kernel.passes) for (const block of blocks(given, kernel.grain, method)) pass(block)
  await kernel.settle?.()
  const values = floats(
    given,
    Array.from({ length: task.count }, () => 0),
  )
  for (const block of blocks(given, kernel.grain, method))
    kernel.output(block, values.subarray(block.offset, block.offset + block.length))
  return { values, notes: kernel.notes ?? [], grain: kernel.grain }
}

/** The totals of one stage over one tensor. */
export function totalsOf(work: ModelPass, given: Case, method: MergeMethod): Float64Array {
  for (const pass of work.passes) for (const block of blocks(given, work.grain, method)) pass(block)
  return work.totals()
}

function floats({ dtype = 'f64' }: Case, values: readonly number[]): Floats {
  return dtype === 'f32' ? Float32Array.from(values) : Float64Array.from(values)
}

function* blocks(given: Case, grain: number, method: MergeMethod): Generator<Block> {
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

/** Words that keep exactly the elements of the masks. */
export function fixedMasks(masks: readonly (readonly number[])[]): TensorTask['random'] {
  return (input) => (first, out) => {
    for (let i = 0; i < out.length; i++) out[i] = masks[input]?.[first + i] === 1 ? 0 : 0xffffffff
  }
}
