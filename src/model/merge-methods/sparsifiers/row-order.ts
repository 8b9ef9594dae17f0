/** Ranks of a whole row: a stable sort of its keys by three digits of eleven bits, the lowest first. */
const [digitBits, digits] = [11, 3]
const digitValues = 2 ** digitBits

export interface RowOrder {
  /** Ranks of keys below 2³¹, by position; equal ones rise in order of their position. The same list every time. */
  readonly ranks: (keys: Int32Array) => Int32Array
}

export function rowOrder(width: number): RowOrder {
  const [one, other, ranks] = [new Int32Array(width), new Int32Array(width), new Int32Array(width)]
  const starts = new Int32Array(digits * digitValues)
  return {
    ranks(keys) {
      starts.fill(0)
      for (let j = 0; j < width; j++) {
        const key = keys[j]!
        starts[key & (digitValues - 1)]!++
        starts[digitValues + ((key >>> digitBits) & (digitValues - 1))]!++
        starts[2 * digitValues + (key >>> (2 * digitBits))]!++
      }
      for (let digit = 0; digit < digits; digit++) {
        let before = 0
        for (let at = digit * digitValues; at < (digit + 1) * digitValues; at++) {
          const count = starts[at]!
          starts[at] = before
          before += count
        }
      }
      for (let j = 0; j < width; j++) one[starts[keys[j]! & (digitValues - 1)]!++] = j
      for (let n = 0; n < width; n++) {
        const j = one[n]!
        other[starts[digitValues + ((keys[j]! >>> digitBits) & (digitValues - 1))]!++] = j
      }
      for (let n = 0; n < width; n++) {
        const j = other[n]!
        ranks[j] = starts[2 * digitValues + (keys[j]! >>> (2 * digitBits))]!++
      }
      return ranks
    },
  }
}
