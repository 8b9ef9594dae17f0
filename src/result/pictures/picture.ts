/** A picture before it is drawn: a value, made of few parts, without a colour of a background in it. */
import type { TopLevelSpec } from 'vega-lite'

/** What to draw, in vega-lite's terms. Inks and palettes come from the theme when it is drawn. */
export type Picture = TopLevelSpec

/** What lies over each other in one. */
export type Layers = Extract<TopLevelSpec, { layer: unknown }>['layer']

export type Background = 'light' | 'dark'

/** Title and what else there is to know, on top of the picture. */
export interface Caption {
  readonly title: string
  readonly subtitle?: string | undefined
}

export function caption({ title, subtitle }: Caption): { text: string; subtitle?: string } {
  return subtitle === undefined || subtitle === '' ? { text: title } : { text: title, subtitle }
}
