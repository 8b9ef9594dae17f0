/** Output is finite: a NaN in a file would be noticed by its reader, long after the model that made it. */
import { fault } from '#core'
import { allFinite } from '#files/formats'

/**
 * Throws `tensor.value` naming the first text with a number that is not finite; `data` holds the same number of values
 * for each text.
 */
export function checkFinite(state: string, data: Float32Array, texts: readonly string[]): void {
  if (allFinite(data)) return
  const at = data.findIndex((value) => !Number.isFinite(value))
  throw fault('tensor.value', {
    place: texts[Math.floor((at * texts.length) / data.length)] ?? 'text',
    what: `its ${state} is not finite`,
    seen: String(data[at]),
    hint: 'a weight of the model is not finite, or its arithmetic overflows',
  })
}
