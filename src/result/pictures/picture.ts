/** A picture before it is drawn: a plain value, without a background colour. */
import type { TopLevelSpec } from 'vega-lite'

/** A drawing in vega-lite's terms. Inks and palettes come from the theme when it is drawn. */
export type Picture = TopLevelSpec

/** Layers drawn on top of each other in one picture. */
export type Layers = Extract<TopLevelSpec, { layer: unknown }>['layer']

export type Background = 'light' | 'dark'

/** Title and further remarks, above the picture. */
export interface Caption {
  readonly title: string
  readonly subtitle?: string | undefined
}

export function caption({ title, subtitle }: Caption): { text: string; subtitle?: string } {
  return subtitle === undefined || subtitle === '' ? { text: title } : { text: title, subtitle }
}
