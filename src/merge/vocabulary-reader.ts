/** Reads a vocabulary tensor of an input as the output will have its rows. */
import { dtypeBytes, fault } from '../core/index.ts'
import { narrow, widen64 } from '../formats/index.ts'
import { type Operand, operandsOf, type PlannedTensor } from './plan.ts'
import type { ReadRange } from './read-range.ts'
import { meanOfOwners, paddingRow, type VocabularyPlan, zeroRow } from './vocabulary.ts'

/** Rows read at once while all are added up. */
const rowsAtOnce = 4096

/** A reader that maps output rows to file rows; runs of neighbouring rows are read in one go. Blocks may begin and end within a row. */
export function vocabularyReader(tensor: PlannedTensor, { picks, owners, rows, tokens }: VocabularyPlan, read: ReadRange): ReadRange {
  const width = tensor.shape.slice(1).reduce((product, size) => product * size, 1)
  const byInput = new Map(operandsOf(tensor).map((operand) => [operand.input, operand]))
  const padding = new Map<number, Promise<Uint8Array>>()

  const operandOf = (input: number): Operand => {
    const found = byInput.get(input)
    if (found === undefined)
      throw fault('tensor.missing', { place: tensor.name, what: 'a row comes from a model that has no such tensor', seen: `input ${input + 1}` })
    return found
  }
  /** Stored bytes of one row of a model's tensor, in the type of the operand that asks. */
  const rowBytes = async (input: number, row: number, asking: Operand): Promise<Uint8Array> => {
    const source = operandOf(input)
    const bytes = await read(source, row * width, (row + 1) * width)
    return source.info.dtype === asking.info.dtype ? bytes : narrow(Float32Array.from(widen64(bytes, source.info.dtype)), asking.info.dtype)
  }
  const meanRow = async (list: readonly (readonly [number, number])[], asking: Operand): Promise<Uint8Array> => {
    const sum = new Float64Array(width)
    for (const [input, row] of list) {
      const source = operandOf(input)
      const values = widen64(await read(source, row * width, (row + 1) * width), source.info.dtype)
      for (let i = 0; i < width; i++) sum[i]! += values[i]! / list.length
    }
    return narrow(Float32Array.from(sum), asking.info.dtype)
  }
  const paddingOf = async (asking: Operand): Promise<Uint8Array> => {
    const sum = new Float64Array(width)
    for (let from = 0; from < tokens; from += rowsAtOnce) {
      const values = widen64(await rowsOf(asking, from, Math.min(tokens, from + rowsAtOnce)), asking.info.dtype)
      for (let i = 0; i < values.length; i++) sum[i % width]! += values[i]! / tokens
    }
    return narrow(Float32Array.from(sum), asking.info.dtype)
  }
  const rowsOf = async (asking: Operand, from: number, to: number): Promise<Uint8Array> => {
    const pick = picks[asking.input]
    if (pick === undefined) throw fault('internal', { place: tensor.name, what: 'no row plan for an input' })
    const size = dtypeBytes(asking.info.dtype) * width
    const out = new Uint8Array((to - from) * size)
    for (let at = from; at < to;) {
      const [input, row] = [pick.input[at]!, pick.row[at]!]
      let end = at + 1
      if (input === asking.input) {
        while (end < to && pick.input[end] === input && pick.row[end] === row + end - at) end++
        out.set(await read(asking, row * width, (row + end - at) * width), (at - from) * size)
      } else if (input === meanOfOwners) out.set(await meanRow(owners.get(at) ?? [], asking), (at - from) * size)
      else if (input === paddingRow) {
        const known = padding.get(asking.input) ?? paddingOf(asking)
        padding.set(asking.input, known)
        out.set(await known, (at - from) * size)
      } else if (input !== zeroRow) out.set(await rowBytes(input, row, asking), (at - from) * size)
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
