/** A picture inside a page: drawn once; its marks carry the words that the pointer shows. */
import type { Picture } from './picture.ts'
import { leastCell, narrowed, untitled } from './narrowed.ts'
import { renderPicture } from './render-picture.ts'

/** Times its own size up to which a picture grows with its column: beyond, its letters look like headlines. */
const growth = 1.3
/** Times its own size down to which a picture with cells of a least width shrinks: beyond, its box scrolls. */
const shrinking = 0.8

/**
 * Without its title, which the page has above it; as wide as its column. `name` keeps the ids of one picture apart from
 * those of another.
 */
export async function embedded(
  picture: Picture,
  name: string,
  { isNarrow = false }: { isNarrow?: boolean } = {},
): Promise<{ readonly svg: string; readonly width: number }> {
  const drawn = isNarrow ? narrowed(picture) : untitled(picture)
  const plain = Buffer.from(await renderPicture(drawn, { format: 'svg', isNarrow })).toString()
  const width = Number(/^<svg[^>]* width="([\d.]+)"/.exec(plain)?.[1] ?? 0)
  const least = leastCell(picture) === undefined ? '' : `;min-width:${Math.round(shrinking * width)}px`
  const svg = plain.replace(
    /^(<svg[^>]*?) width="[\d.]+" height="[\d.]+"/,
    `$1 style="max-width:${Math.round(growth * width)}px${least}"`,
  )
  return { svg: inPage(svg, name), width }
}

function inPage(svg: string, name: string): string {
  return (
    svg
      .replaceAll(/ id="([^"]*)"/g, ` id="${name}-$1"`)
      .replaceAll(/url\(#([^)]*)\)/g, `url(#${name}-$1)`)
      .replaceAll(/xlink:href="#/g, `xlink:href="#${name}-`)
      // the pointer shows the same words that a screen reader reads for each mark
      .replaceAll(/ aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="[^"]*"/g, ' data-tip="$1"')
      .replaceAll(/ (?:role|aria-label|aria-roledescription|aria-hidden)="[^"]*"/g, '')
      .replaceAll(' pointer-events="none"', '')
      .replace('<svg ', '<svg aria-hidden="true" ')
      .replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', '')
      .replace(' xmlns="http://www.w3.org/2000/svg"', '')
  )
}
