/** Normal deviates by their index: the same whatever is drawn before them, on every machine. */
import { normalOf, philox } from '#platform/random'

/**
 * Fills `out` with deviates `first`, `first` + 1 … of the sequence that belongs to a text; each from two words of it.
 */
export function gaussians(text: string): (first: number, out: Float64Array) => void {
  const words = philox(text)
  return (first, out) => {
    const drawn = new Uint32Array(2 * out.length)
    words(2 * first, drawn)
    for (let i = 0; i < out.length; i++) out[i] = normalOf(drawn[2 * i]!, drawn[2 * i + 1]!)
  }
}
