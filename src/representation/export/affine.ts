/** A projection as one product and one sum: (factor · v − mean) · Cᵀ = v · (factor · C)ᵀ − mean · Cᵀ. */
import type { Basis } from '#representation/layers'

/** [width], added to the product. */
export function offsetOf({ mean, components }: Basis): Float32Array {
  const { rows, width, data } = components
  return Float32Array.from({ length: rows }, (_, k) => {
    let sum = 0
    for (let i = 0; i < width; i++) sum += data[k * width + i]! * mean[i]!
    return -sum
  })
}

/** Columns `from … from + width` of the components times a factor, [rows × width]. */
export function columnsOf(
  { components }: Basis,
  { from, width, factor }: { from: number; width: number; factor: number },
): Float32Array {
  const out = new Float32Array(components.rows * width)
  for (let k = 0; k < components.rows; k++)
    for (let i = 0; i < width; i++) out[k * width + i] = factor * components.data[k * components.width + from + i]!
  return out
}
