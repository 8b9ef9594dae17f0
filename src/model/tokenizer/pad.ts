/** Rows of different lengths to one matrix. */
import { fault } from '#core'
import type { Encoded, Padded, PadOptions } from './tokenizer.ts'

/** Pads to the longest row, or wider. Without a pad id the padding is 0: the mask keeps it out. */
export function pad(batch: readonly Pick<Encoded, 'ids' | 'typeIds'>[], options: PadOptions = {}): Padded {
  const { side = 'right', padId = 0, multipleOf = 1, length = 0 } = options
  checkPositive('multipleOf', multipleOf, 1)
  checkPositive('length', length, 0)
  let longest = length
  for (const { ids } of batch) longest = Math.max(longest, ids.length)
  const rows = batch.length
  const cols = Math.ceil(longest / multipleOf) * multipleOf
  const inputIds = new Int32Array(rows * cols).fill(padId)
  const attentionMask = new Int32Array(rows * cols)
  const typeIds = new Int32Array(rows * cols)
  batch.forEach((row, index) => {
    const begin = index * cols + (side === 'left' ? cols - row.ids.length : 0)
    inputIds.set(row.ids, begin)
    typeIds.set(row.typeIds, begin)
    attentionMask.fill(1, begin, begin + row.ids.length)
  })
  return { inputIds, attentionMask, typeIds, rows, cols }
}

function checkPositive(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw fault('usage.value', {
      place: name,
      what: 'not a usable width',
      seen: value,
      wanted: `a whole number, at least ${least}`,
    })
  }
}
