/** Pictures as bytes: vega draws the SVG, resvg rasterises it, with the font that the package contains. */
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { asFault, fault } from '#core'
import { writeWhole } from '#platform/disk'
import type { Background, Picture } from './picture.ts'
import { textWidth } from './text-width.ts'
import { theme } from './theme.ts'

const formats = ['svg', 'png'] as const
export type PictureFormat = (typeof formats)[number]

/**
 * The format by file extension: `svg` or `png`. `place` names the flag or key in messages. Throws `usage.value` for
 * another extension.
 *
 * @example
 * ```ts
 * import { pictureFormat } from 'strata-lm/report'
 *
 * console.log(pictureFormat('layers.png')) // → png
 * ```
 */
export function pictureFormat(path: string, place = 'picture'): PictureFormat {
  const ending = extname(path).slice(1).toLowerCase()
  const format = formats.find((one) => one === ending)
  if (format === undefined)
    throw fault('usage.value', {
      place,
      what: 'not the name of a picture',
      seen: path,
      wanted: 'a name that ends in .svg or .png',
    })
  return format
}

export interface RenderOptions {
  readonly background?: Background | undefined
  /** Legends below the drawing, for narrow pages; default: next to it. */
  readonly isNarrow?: boolean | undefined
}

/**
 * The bytes of a picture as SVG or PNG: the same for the same picture, on every machine and without a browser. PNGs
 * have two pixels per pixel of the SVG. Throws `engine.load` where the renderer has no binary for this machine.
 *
 * @example
 * ```ts
 * import { renderPicture, scoreByLayer } from 'strata-lm/report'
 *
 * const layers = [0.6, 0.7, 0.75].map((score, h) => ({ h, score }))
 * const bytes = await renderPicture(scoreByLayer({ title: 'STS17', lines: [{ name: 'STS17', layers }] }), {
 *   format: 'png',
 * })
 * console.log(bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47) // → true
 * ```
 */
export async function renderPicture(
  picture: Picture,
  { format, background = 'light', isNarrow = false }: RenderOptions & { readonly format: PictureFormat },
): Promise<Uint8Array> {
  const svg = await svgOf(picture, { background, isNarrow })
  switch (format) {
    case 'svg':
      return Buffer.from(svg)
    case 'png':
      return pngOf(svg)
    default:
      return format satisfies never
  }
}

/**
 * Writes a picture in the format that its file extension names; the file appears under its name only when it is
 * complete. Throws `usage.value` for another extension, `file.write`.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { scoreByLayer, writePicture } from 'strata-lm/report'
 *
 * const layers = [0.6, 0.7, 0.75].map((score, h) => ({ h, score }))
 * await writePicture('layers.svg', scoreByLayer({ title: 'STS17', lines: [{ name: 'STS17', layers }] }))
 * console.log((await readFile('layers.svg', 'utf8')).startsWith('<svg')) // → true
 * ```
 */
export async function writePicture(path: string, picture: Picture, { background }: RenderOptions = {}): Promise<void> {
  await writeWhole(path, await renderPicture(picture, { format: pictureFormat(path), background }))
}

async function svgOf(
  picture: Picture,
  { background, isNarrow }: { readonly background: Background; readonly isNarrow: boolean },
): Promise<string> {
  const { compile } = await import('vega-lite')
  const vega = await import('vega')
  // missing in its types
  const { textMetrics } = vega as unknown as { textMetrics: { width: typeof widthOf } }
  textMetrics.width = widthOf
  const { spec } = compile(picture, { config: theme(background, { isNarrow }) })
  const view = new vega.View(vega.parse(spec), { renderer: 'none' })
  try {
    await view.runAsync()
    vega.resetSVGDefIds() // without this, ids continue counting from picture to picture
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}

/** vega's own measurement depends on whether a canvas happens to be installed. */
function widthOf(
  { fontSize = 11, fontWeight }: { fontSize?: number; fontWeight?: string | number },
  text?: string | number | null,
): number {
  return textWidth(String(text ?? ''), { size: fontSize, bold: fontWeight === 'bold' })
}

async function pngOf(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js').catch((error: unknown) => {
    throw asFault(error, 'engine.load', 'resvg')
  })
  const require = createRequire(import.meta.url)
  const fontFiles = [
    require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  ]
  const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: 'DejaVu Sans' }
  return new Resvg(svg, { fitTo: { mode: 'zoom', value: 2 }, font }).render().asPng()
}
