/** Methods that treat every row of a matrix as a vector of its own. */
import type { Floats } from '#core'
import type { Block, Kernel } from './method.ts'

/** A kernel whose blocks hold whole rows; `work` gets one row at a time, and where its output goes. */
export function byRows(shape: readonly number[], work: (row: Block, out: Floats) => void): Kernel {
  const width = Math.max(shape.at(-1) ?? 1, 1)
  return {
    grain: width,
    passes: [],
    output(block, out) {
      for (let from = 0; from < block.length; from += width)
        work(partOf(block, from, width), out.subarray(from, from + width))
    },
  }
}

/** Elements from … from + length − 1 of a block as one of their own. */
function partOf({ offset, base, inputs }: Block, from: number, length: number): Block {
  const cut = (values: Floats): Floats => values.subarray(from, from + length)
  return { offset: offset + from, length, base: base === undefined ? undefined : cut(base), inputs: inputs.map(cut) }
}
