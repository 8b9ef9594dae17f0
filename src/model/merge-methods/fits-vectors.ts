/** Which blocks the kernels take: float32 throughout, and not too many inputs. */
import type { Floats } from '#core'
import type { Block } from './method.ts'

/** Elements of a usual chunk of a block, those that one can have at most – a long row –, and inputs that fit. */
export const chunkLength = 2 ** 11
export const longestChunk = 2 ** 15
export const mostInputs = 16

export function fitsVectors({ base, inputs }: Block, out?: Floats, chunk = chunkLength): boolean {
  const isNarrow = (values: Floats | undefined): boolean => values === undefined || values instanceof Float32Array
  return (
    chunk <= longestChunk && inputs.length <= mostInputs && isNarrow(base) && isNarrow(out) && inputs.every(isNarrow)
  )
}
