/** A thinner whose first pass is remembered, a bit an element, and played again by the later ones: ranks of rows cost more than anything else that is done to an element. */
import type { Thinner } from './sparsifier.ts'

/** Elements of a tensor above which the bits would take more memory than they are worth: 32 MiB. */
const mostElements = 2 ** 28

/** For thinners that keep elements as they are. What is dropped is multiplied by 0, so that NaN stays. */
export function remembered(thinner: Thinner, count: number): Thinner {
  if (count > mostElements) return thinner
  const kept = new Uint8Array(Math.ceil(count / 8))
  let pass = 0
  return {
    looks: thinner.looks,
    thin(delta, offset, length) {
      if (offset === 0) pass++
      if (pass > 1) return replay(delta, offset, length, kept)
      thinner.thin(delta, offset, length)
      record(delta, offset, length, kept)
    },
  }
}

/** A change of 0 is the same kept or dropped. */
function record(delta: Float64Array, offset: number, length: number, kept: Uint8Array): void {
  for (let i = 0; i < length; i++) {
    const at = offset + i
    kept[at >>> 3]! |= (delta[i] === 0 ? 0 : 1) << (at & 7)
  }
}

function replay(delta: Float64Array, offset: number, length: number, kept: Uint8Array): void {
  for (let i = 0; i < length; i++) {
    const at = offset + i
    delta[i]! *= (kept[at >>> 3]! >>> (at & 7)) & 1
  }
}
