/**
 * Methods that make an element of the output from the same element of each input, on float32 tensors: two elements at a time in WebAssembly, in float64, without a branch. A method
 * states its formula in instructions; a program is made of it once for each number of inputs.
 */
import type { Floats } from '#core'
import { type Code, code, get, i32Constant, instantiate, load, loadHalf, loop, set, simd, storeHalf, type WasmFunction, type WasmMemory } from '#platform/wasm'
import type { Block } from './method.ts'
import { simdStretch } from './delta-simd.ts'
import { fitsVectors } from './delta-stretch.ts'

/** Numbers of the locals, each of two float64 values. */
interface Places {
  readonly base: number
  readonly inputs: readonly number[]
  readonly constants: readonly number[]
  readonly scratch: readonly [number, number, number, number]
}

/** Fills `out`, or answers false where vectors cannot be used. There are as many constants for as many inputs. */
type VectorFormula = (block: Block, constants: readonly number[], out: Floats) => boolean

interface Program {
  readonly run: (from: number, end: number) => void
  readonly base: Float32Array
  readonly inputs: readonly Float32Array[]
  readonly constants: Float64Array
  readonly out: Float32Array
}

const region = 4 * simdStretch
const [at, end, first] = [0, 1, 2]
const [promote, demote] = [simd(0x5f), simd(0x5e)]

/** `formula` leaves two float64 values: the output's elements. */
export function vectorFormula(formula: (places: Places) => Code): VectorFormula {
  const programs = new Map<number, Program>()
  return (block, constants, out) => {
    const { base, inputs, length } = block
    if (base === undefined || !fitsVectors(block, out, 1)) return false
    const program = programs.get(inputs.length) ?? programOf(formula, inputs.length, constants.length)
    programs.set(inputs.length, program)
    constants.forEach((value, k) => program.constants.fill(value, 2 * k, 2 * k + 2))
    for (let from = 0; from < length; from += simdStretch) {
      const stop = Math.min(length, from + simdStretch)
      program.base.set(base.subarray(from, stop))
      inputs.forEach((values, k) => program.inputs[k]!.set(values.subarray(from, stop)))
      program.run(0, 8 * Math.ceil((stop - from) / 2))
      out.set(program.out.subarray(0, stop - from), from)
    }
    return true
  }
}

function programOf(formula: (places: Places) => Code, models: number, numbers: number): Program {
  const inputAt = (k: number): number => (2 + k) * region
  const constantAt = (k: number): number => inputAt(models) + 16 * k
  const places: Places = {
    base: first,
    inputs: Array.from({ length: models }, (_, k) => first + 1 + k),
    constants: Array.from({ length: numbers }, (_, k) => first + 1 + models + k),
    scratch: [1, 2, 3, 4].map((k) => first + models + numbers + k) as [number, number, number, number],
  }
  const widened = (from: number, place: number): Code => code(get(at), loadHalf(from), promote, set(place))
  const run: WasmFunction = {
    name: 'run',
    parameters: ['i32', 'i32'],
    locals: Array.from({ length: models + numbers + 5 }, () => 'v128' as const),
    body: code(
      ...places.constants.map((place, k) => code(i32Constant(0), load(constantAt(k)), set(place))),
      loop(
        at,
        8,
        end,
        code(
          widened(0, places.base),
          ...places.inputs.map((place, k) => widened(inputAt(k), place)),
          code(get(at), formula(places), demote, storeHalf(region)),
        ),
      ),
    ),
  }
  const made = instantiate([run], Math.ceil(constantAt(numbers) / 65536)) as WasmMemory & Pick<Program, 'run'>
  const floats = (from: number): Float32Array => new Float32Array(made.memory.buffer, from, simdStretch)
  return {
    run: made.run,
    base: floats(0),
    out: floats(region),
    inputs: places.inputs.map((_, k) => floats(inputAt(k))),
    constants: new Float64Array(made.memory.buffer, inputAt(models), 2 * numbers),
  }
}
