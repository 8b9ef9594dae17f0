/** What an SVG of vega's holds: its marks and texts by their part in the picture, and pixels of a PNG. */
import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'

const fontFiles = ['', '-Bold'].map((cut) =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/DejaVuSans${cut}.ttf`),
)
/** Not the machine's. */
const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: 'DejaVu Sans' }

export interface Drawn {
  readonly width: number
  readonly height: number
  /** `rect`, `symbol`, `line`, …; `role` is `mark`, `axis-title`, `legend-symbol`, … */
  readonly marks: readonly {
    readonly mark: string
    readonly role: string
    readonly attributes: Readonly<Record<string, string>>
    readonly text: string
  }[]
}

export function drawn(svg: string): Drawn {
  const open: { mark: string; role: string }[] = []
  const marks: { mark: string; role: string; attributes: Record<string, string>; text: string }[] = []
  const [, width = '', height = ''] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  for (const [, closing, name = '', inner = '', own, text = ''] of svg.matchAll(
    /<(\/)?([a-z]+)([^>]*?)(\/)?>([^<]*)/gi,
  )) {
    if (closing !== undefined) {
      if (name === 'g') open.pop()
      continue
    }
    const attributes = Object.fromEntries(
      Array.from(inner.matchAll(/([\w-]+)="([^"]*)"/g), ([, key = '', value = '']) => [key, value]),
    )
    const [, mark, role] = /^mark-(\S+) role-(\S+)/.exec(attributes['class'] ?? '') ?? []
    const within = { mark: mark ?? open.at(-1)?.mark ?? '', role: role ?? open.at(-1)?.role ?? '' }
    if (name === 'g' && own === undefined) open.push(within)
    else if ((name === 'path' || name === 'text' || name === 'line') && within.mark !== 'group')
      marks.push({ ...within, attributes, text })
  }
  return { width: Number(width), height: Number(height), marks }
}

/** Where anything is drawn at all, letters as their outlines, in the SVG's pixels. */
export function boundsOf(svg: string): { left: number; top: number; right: number; bottom: number } {
  const withoutPaper = svg.replace(/<rect [^>]*\/>/, '')
  const { x = NaN, y = NaN, width = NaN, height = NaN } = new Resvg(withoutPaper, { font }).getBBox() ?? {}
  return { left: x, top: y, right: x + width, bottom: y + height }
}

/** `#rrggbb` of every pixel, row by row; pixels of one colour have the same string. */
export function pixelsOf(png: Uint8Array): { width: number; height: number; colours: string[] } {
  const header = Buffer.from(png)
  const [width, height] = [header.readUInt32BE(16), header.readUInt32BE(20)]
  const href = `data:image/png;base64,${header.toString('base64')}`
  const { pixels } = new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="${href}"/></svg>`,
  ).render()
  const known = new Map<number, string>()
  const colours = Array.from({ length: width * height }, (_, i) => {
    const colour = pixels.readUIntBE(4 * i, 3)
    const written = known.get(colour) ?? `#${colour.toString(16).padStart(6, '0')}`
    known.set(colour, written)
    return written
  })
  return { width, height, colours }
}

/** Of two colours by WCAG 2: 1 … 21. */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const hex = /^#(..)(..)(..)$/
    .exec(colour)
    ?.slice(1)
    .map((part) => parseInt(part, 16))
  const parts = hex ?? /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour)?.slice(1).map(Number) ?? []
  const [r = NaN, g = NaN, b = NaN] = parts.map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
