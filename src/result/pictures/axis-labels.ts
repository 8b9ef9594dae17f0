/** Labels along an axis: which are shown, and whether they are horizontal or slanted. */
import { textWidth } from './text-width.ts'

/** Labels of hidden states, as references and results name them. */
export function layerLabels(count: number): string[] {
  return Array.from({ length: count }, (_, h) => `h${h}`)
}

/** Every label, or every second, third, … so that at most `most` are shown. */
export function thinned<Label>(labels: readonly Label[], most: number): Label[] {
  const every = Math.max(1, Math.ceil(labels.length / Math.max(1, most)))
  return labels.filter((_, at) => at % every === 0)
}

/** Below this room, slanted labels would touch, and upright ones do not. */
const upright = 16

/** Labels wider than their `room` in pixels are slanted, and upright where there is little; the others are horizontal. */
export function slant(labels: readonly string[], room: number): { labelAngle: number; labelAlign?: 'right' } {
  if (labels.every((label) => textWidth(label, { size: 11 }) <= room - 6)) return { labelAngle: 0 }
  return { labelAngle: room < upright ? -90 : -40, labelAlign: 'right' }
}
