/** Labels along an axis: which are written, and whether they lie or slant. */
import { textWidth } from './text-width.ts'

/** Of a hidden state, as references and results name it. */
export function layerLabels(count: number): string[] {
  return Array.from({ length: count }, (_, h) => `h${h}`)
}

/** Every label, or every second, third, … so that no more than `most` are written. */
export function thinned<Label>(labels: readonly Label[], most: number): Label[] {
  const every = Math.max(1, Math.ceil(labels.length / Math.max(1, most)))
  return labels.filter((_, at) => at % every === 0)
}

/** Labels that are wider than their `room` in pixels slant; the others lie. */
export function slant(labels: readonly string[], room: number): { labelAngle: number; labelAlign?: 'right' } {
  return labels.some((label) => textWidth(label, { size: 11 }) > room - 6)
    ? { labelAngle: -40, labelAlign: 'right' }
    : { labelAngle: 0 }
}
