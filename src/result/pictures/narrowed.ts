/** A picture for a screen of a phone's width: the same marks with less room, legends below, names cut sooner. */
import type { Picture } from './picture.ts'
import { textWidth } from './text-width.ts'

/** Width of the drawing in pixels, its axis included. */
const room = 340
/** Width of a name on the left, of a grid and of other pictures. */
const [gridNames, names] = [130, 180]
/** Room of an axis with numbers. */
const numbers = 56
/** Below this width, a cell has no room for its number. */
const written = 34

/** The title is left out: a page has it above the picture. */
export function narrowed(picture: Picture): Picture {
  const fields = { ...picture } as Record<string, unknown>
  delete fields['title']
  const columns = columnsIn(fields)
  const step =
    columns === undefined
      ? undefined
      : Math.max(leastCell(picture) ?? 5, Math.floor((room - labelRoom(fields)) / columns))
  const width = Math.max(1, room - Math.max(numbers, labelRoom(fields)))
  const share = typeof fields['width'] === 'number' ? Math.min(1, width / fields['width']) : 1
  const spec = {
    ...(shortened(fields, { most: columns === undefined ? names : gridNames, share }) as Record<string, unknown>),
    ...(step === undefined ? {} : { width: { step } }),
    ...(typeof fields['width'] === 'number' ? { width: Math.round(share * fields['width']) } : {}),
    ...(typeof fields['height'] === 'number' && fields['usermeta'] === undefined
      ? { height: Math.min(fields['height'], 260) }
      : {}),
  }
  return (step !== undefined && step < written ? withoutTexts(spec) : spec) as unknown as Picture
}

/** Width of a cell that a grid keeps on every page, as the picture states it. */
export function leastCell({ usermeta }: Picture): number | undefined {
  return (usermeta as { least?: number } | undefined)?.least
}

export function untitled(picture: Picture): Picture {
  const fields = { ...picture } as Record<string, unknown>
  delete fields['title']
  return fields as unknown as Picture
}

/** Number of columns of a grid, which the picture itself states. */
function columnsIn(spec: Readonly<Record<string, unknown>>): number | undefined {
  return (spec['usermeta'] as { columns?: number } | undefined)?.columns
}

function labelRoom(spec: Readonly<Record<string, unknown>>): number {
  const labels = (spec['usermeta'] as { labels?: readonly string[] } | undefined)?.labels ?? []
  return (
    40 +
    Math.min(
      columnsIn(spec) === undefined ? names : gridNames,
      Math.max(0, ...labels.map((label) => textWidth(label, { size: 11 }))),
    )
  )
}

interface Less {
  /** Width of a name. */
  readonly most: number
  /** Width of the drawing as a share of its own. */
  readonly share: number
}

/** Every limit of a name, and every mark of a fixed width, wherever it stands; slanted labels need no thinning. */
function shortened(value: unknown, less: Less): unknown {
  if (Array.isArray(value)) return value.map((one) => shortened(one, less))
  if (value === null || typeof value !== 'object') return value
  const { labelAngle = 0, type } = value as { labelAngle?: unknown; type?: unknown }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (name === 'values' || name === 'usermeta') return [name, field]
      if (name === 'labelOverlap' && labelAngle === 0) return [name, 'greedy']
      if (name === 'size' && type === 'tick' && typeof field === 'number') return [name, less.share * field]
      const isLimit = (name === 'labelLimit' || name === 'limit') && typeof field === 'number'
      return [name, isLimit ? Math.min(field, less.most) : shortened(field, less)]
    }),
  )
}

function withoutTexts(spec: Record<string, unknown>): Record<string, unknown> {
  const layers = (spec['layer'] as readonly { mark?: { type?: string } }[] | undefined) ?? []
  return { ...spec, layer: layers.filter(({ mark }) => mark?.type !== 'text') }
}
