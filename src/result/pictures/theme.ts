/**
 * Theme of pictures, for light and dark backgrounds: readable inks, colours that colour-blind readers can distinguish.
 */
import type { Config } from 'vega-lite'
import type { Background } from './picture.ts'

/** First the font of PNGs, then one of the same widths that most machines have. */
const font = 'DejaVu Sans, Verdana, sans-serif'

/** Okabe and Ito's palette (2008), each set ordered by contrast with its background. */
const palettes: Readonly<Record<Background, readonly string[]>> = {
  light: ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000'],
  dark: ['#56B4E9', '#E69F00', '#009E73', '#CC79A7', '#F0E442', '#D55E00', '#FFFFFF'],
}

const inks: Readonly<Record<Background, { background: string; text: string; quiet: string; grid: string }>> = {
  light: { background: '#FFFFFF', text: '#1B1F24', quiet: '#57606A', grid: '#D8DEE4' },
  dark: { background: '#0D1117', text: '#E6EDF3', quiet: '#9DA7B3', grid: '#30363D' },
}

export function theme(background: Background, { isNarrow = false }: { isNarrow?: boolean } = {}): Config {
  const { text, quiet, grid, background: paper } = inks[background]
  return {
    background: paper,
    font,
    padding: isNarrow ? 4 : 12,
    title: {
      color: text,
      subtitleColor: quiet,
      fontSize: 15,
      subtitleFontSize: 12,
      anchor: 'start',
      frame: 'group',
      offset: 12,
      subtitlePadding: 4,
    },
    axis: {
      labelColor: text,
      titleColor: text,
      labelFontSize: 11,
      titleFontSize: 12,
      titlePadding: 8,
      // by default a title is at most 200 points away, upon longer labels
      maxExtent: 400,
      domainColor: quiet,
      tickColor: quiet,
      gridColor: grid,
    },
    header: { labelColor: text, titleColor: text, labelFontSize: 11, titleFontSize: 12 },
    legend: {
      labelColor: text,
      titleColor: text,
      labelFontSize: 11,
      titleFontSize: 12,
      labelLimit: isNarrow ? 240 : 320,
      symbolOpacity: 1,
      ...(isNarrow ? { orient: 'bottom' as const, columns: 1, gradientLength: 200 } : {}),
    },
    range: { category: [...palettes[background]] },
    view: { stroke: null },
    mark: { color: palettes[background][0] ?? text },
    // marks refer to them by name
    params: [
      { name: 'quiet', value: quiet },
      { name: 'paper', value: paper },
    ],
  }
}

/** CSS rules that turn the inks of a picture from light paper to dark: they override an SVG's attributes. */
export function recoloured(): { readonly selector: string; readonly rule: string }[] {
  const { light, dark } = inks
  const of = (from: string, to: string, parts: readonly string[]): { selector: string; rule: string }[] =>
    (['fill', 'stroke'] as const).map((attribute) => ({
      selector: `:is(${parts.join(', ')})[${attribute}="${from}" i]`,
      rule: `${attribute}: ${to}`,
    }))
  // black and white on coloured cells stay unchanged
  const series = [
    '.mark-line path',
    '.mark-symbol path',
    '.mark-area path',
    '.mark-rule line',
    '.mark-rect.role-mark path:not([stroke="#000000"])',
  ]
  return [
    { selector: 'svg > rect', rule: `fill: ${dark.background}` },
    ...(['text', 'quiet', 'grid'] as const).flatMap((ink) => of(light[ink], dark[ink], ['text', 'line', 'path'])),
    ...palettes.light.flatMap((colour, i) => of(colour, palettes.dark[i] ?? colour, series)),
  ]
}
