/** A picture inside a page: drawn once; its marks carry the words that the pointer shows. */
import type { Picture } from './picture.ts'
import { renderPicture } from './render-picture.ts'

/** `name` keeps the ids of one picture apart from those of another. */
export async function embedded(picture: Picture, name: string): Promise<string> {
  const svg = Buffer.from(await renderPicture(picture, { format: 'svg' })).toString()
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
