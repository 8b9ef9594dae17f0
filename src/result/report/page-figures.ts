/** Pictures in a page: their titles as text, and one drawing for wide screens, one for narrow ones. */
import { embedded } from '#result/pictures'
import { breakable, escaped } from './page-tables.ts'
import type { TitledPicture } from './report-pictures.ts'

/** From this width on, a drawing takes the room of two. */
const broad = 800

export async function figure({ title, picture }: TitledPicture, name: string): Promise<string> {
  const [wide, narrow] = [await embedded(picture, name), await embedded(picture, `${name}-narrow`, { isNarrow: true })]
  const label = escaped(`${title}. The arrow keys step through its marks; the tables contain the same numbers.`)
  const plot = (svg: string, kind: string): string =>
    `<div class="plot ${kind}" tabindex="0" role="img" aria-label="${label}">${svg}</div>`
  const subtitle = subtitleIn(picture)
  return `<figure${wide.width >= broad ? ' class="broad"' : ''}>
<figcaption><h3>${breakable(title)}</h3>${subtitle === '' ? '' : `<p class="note">${breakable(subtitle)}</p>`}</figcaption>
${plot(wide.svg, 'wide-plot')}
${plot(narrow.svg, 'narrow-plot')}
</figure>`
}

function subtitleIn({ title }: TitledPicture['picture']): string {
  const subtitle = typeof title === 'object' && 'subtitle' in title ? title.subtitle : undefined
  return typeof subtitle === 'string' ? subtitle : ''
}
