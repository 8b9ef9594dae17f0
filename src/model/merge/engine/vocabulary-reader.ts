/** Reads a vocabulary tensor of an input as the output will have its rows. */
import { dtypeBytes, fault } from '#core'
import { narrow, widen64 } from '#files/formats'
import { type Operand, operandsOf, type PlannedTensor } from '../plan/plan.ts'
import type { ReadOperand } from './read-operand.ts'
import { meanOfOwners, paddingRow, tensorRows, type VocabularyPlan, zeroRow } from '../plan/vocabulary.ts'

/** Rows read at once while all are added up. */
const rowsAtOnce = 4096

/**
 * A reader that maps output rows to file rows; runs of neighbouring rows are read in one go. Blocks may begin and end
 * within a row. Rows have the operand's type, which may be wider than the file's: means and rows of other models are
 * not rounded to what one model's file could hold.
 */
export function vocabularyReader(tensor: PlannedTensor, vocabulary: VocabularyPlan, read: ReadOperand): ReadOperand {
  const { rows, tokens } = vocabulary
  const width = tensor.shape.slice(1).reduce((product, size) => product * size, 1)
  const byInput = new Map(operandsOf(tensor).map((operand) => [operand.input, operand]))
  const { picks, owners } = tensorRows(vocabulary, [...byInput.keys()], tensor.name)
  const padding = new Map<number, Promise<Uint8Array>>()

  /** Rows [from, to) of a model's file, in the type of the operand that asks. */
  const fileRows = async (
    input: number,
    from: number,
    to: number,
    { info: { dtype } }: Operand,
  ): Promise<Uint8Array> => {
    const source = byInput.get(input)
    if (source === undefined)
      throw fault('internal', {
        place: tensor.name,
        what: 'a row comes from a model that has no such tensor',
        seen: input,
      })
    const info = source.stored ?? source.info
    const bytes = await read({ input, info }, from * width, to * width)
    return info.dtype === dtype ? bytes : fromNumbers(widen64(bytes, info.dtype), dtype)
  }
  const meanRow = async (list: readonly (readonly [number, number])[], asking: Operand): Promise<Uint8Array> => {
    const sum = new Float64Array(width)
    for (const [input, row] of list) {
      const values = widen64(await fileRows(input, row, row + 1, asking), asking.info.dtype)
      for (let i = 0; i < width; i++) sum[i]! += values[i]!
    }
    return fromNumbers(
      sum.map((value) => value / list.length),
      asking.info.dtype,
    )
  }
  const paddingOf = async (asking: Operand): Promise<Uint8Array> => {
    const sum = new Float64Array(width)
    for (let from = 0; from < tokens; from += rowsAtOnce) {
      const values = widen64(await rowsOf(asking, from, Math.min(tokens, from + rowsAtOnce)), asking.info.dtype)
      for (let i = 0; i < values.length; i++) sum[i % width]! += values[i]!
    }
    return fromNumbers(
      sum.map((value) => value / tokens),
      asking.info.dtype,
    )
  }
  const rowsOf = async (asking: Operand, from: number, to: number): Promise<Uint8Array> => {
    const pick = picks.get(asking.input)
    if (pick === undefined) throw fault('internal', { place: tensor.name, what: 'no row plan for an input' })
    const size = dtypeBytes(asking.info.dtype) * width
    const out = new Uint8Array((to - from) * size)
    for (let at = from; at < to;) {
      const [input, row] = [pick.input[at]!, pick.row[at]!]
      let end = at + 1
      if (input >= 0) {
        while (end < to && pick.input[end] === input && pick.row[end] === row + end - at) end++
        out.set(await fileRows(input, row, row + end - at, asking), (at - from) * size)
      } else if (input === meanOfOwners) out.set(await meanRow(owners.get(at) ?? [], asking), (at - from) * size)
      else if (input === paddingRow) {
        const known = padding.get(asking.input) ?? paddingOf(asking)
        padding.set(asking.input, known)
        out.set(await known, (at - from) * size)
      } else if (input !== zeroRow) throw fault('internal', { place: tensor.name, what: 'no such row', seen: input })
      at = end
    }
    return out
  }
  return async (operand, from, to) => {
    if (from < 0 || to > rows * width) throw fault('internal', { place: tensor.name, what: 'beyond the vocabulary' })
    const [first, last] = [Math.floor(from / width), Math.ceil(to / width)]
    const size = dtypeBytes(operand.info.dtype)
    return (await rowsOf(operand, first, last)).subarray((from - first * width) * size, (to - first * width) * size)
  }
}

function fromNumbers(values: Float64Array, dtype: Operand['info']['dtype']): Uint8Array {
  return dtype === 'F64'
    ? new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    : narrow(Float32Array.from(values), dtype)
}
