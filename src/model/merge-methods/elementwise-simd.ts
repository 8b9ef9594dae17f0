/**
 * Methods that make an element of the output from the same element of each input, on float32 tensors: two elements at a
 * time in WebAssembly, in float64, without a branch. A method states its formula in instructions; a kernel is made of
 * it once for each number of inputs.
 */
import type { Floats } from '#core'
import { code, type Code, f32x4, f64x2, func, i32, kernel, local, type Local, loop, v128 } from '#platform/wasm'
import type { Block } from './method.ts'
import { chunkLength, fitsVectors } from './fits-vectors.ts'

/** Local variables of two float64 values each. */
interface Values {
  readonly base: Local
  readonly inputs: readonly Local[]
  readonly constants: readonly Local[]
  readonly scratch: readonly [Local, Local, Local, Local]
}

/** Leaves two float64 values: the output's elements. */
type Formula = (values: Values) => Code

/** Fills `out`, or answers false where vectors cannot be used. There are as many constants for as many inputs. */
type VectorFormula = (block: Block, constants: readonly number[], out: Floats) => boolean

export function vectorFormula(formula: Formula): VectorFormula {
  const workspaces = new Map<number, ReturnType<typeof workspaceFor>>()
  return (block, constants, out) => {
    const { base, inputs, length } = block
    if (base === undefined || !fitsVectors(block, out)) return false
    const workspace = workspaces.get(inputs.length) ?? workspaceFor(formula, inputs.length, constants.length)
    workspaces.set(inputs.length, workspace)
    const work = workspace()
    constants.forEach((value, k) => work.constants.fill(value, 2 * k, 2 * k + 2))
    for (let from = 0; from < length; from += chunkLength) {
      const stop = Math.min(length, from + chunkLength)
      work.base.set(base.subarray(from, stop))
      inputs.forEach((values, k) => work.inputs.set(values.subarray(from, stop), k * chunkLength))
      work.run(0, 8 * Math.ceil((stop - from) / 2))
      out.set(work.out.subarray(0, stop - from), from)
    }
    return true
  }
}

// oxlint-disable-next-line explicit-function-return-type -- what a kernel is follows from its layout
function workspaceFor(formula: Formula, models: number, numbers: number) {
  return kernel(
    {
      base: ['f32', chunkLength],
      out: ['f32', chunkLength],
      inputs: ['f32', models * chunkLength],
      constants: ['f64', 2 * numbers],
    },
    (places) => ({
      run: func(['i32', 'i32'], (declare, [at, end]) => {
        const base = declare()
        const inputs = Array.from({ length: models }, () => declare())
        const constants = Array.from({ length: numbers }, () => declare())
        const scratch = [declare(), declare(), declare(), declare()] as const
        const widened = (from: number): Code => f64x2.promote_low_f32x4(v128.load64_zero(at, from))
        return code(
          ...constants.map((constant, k) => local.set(constant, v128.load(i32.const(0), places.constants + 16 * k))),
          loop(
            at,
            8,
            end,
            local.set(base, widened(places.base)),
            ...inputs.map((input, k) => local.set(input, widened(places.inputs + 4 * chunkLength * k))),
            v128.store64_lane(
              at,
              f32x4.demote_f64x2_zero(formula({ base, inputs, constants, scratch })),
              0,
              places.out,
            ),
          ),
        )
      }),
    }),
  )
}
