/** One point per row, placed by two of its numbers: a metric and a score, or a cost and a score. */
import { caption, type Caption, type Picture } from './picture.ts'

export interface PointsByValue extends Caption {
  readonly across: string
  readonly up: string
  /** Default: linear. */
  readonly scale?: 'linear' | 'log' | undefined
  readonly points: readonly {
    readonly name: string
    readonly x: number
    readonly y: number
    /** Colours distinguish groups, such as checkpoints. */
    readonly group?: string | undefined
    /** Interval of `y`, drawn as a line. */
    readonly low?: number | undefined
    readonly high?: number | undefined
  }[]
  /** Names in the order of the line that joins them: a frontier. */
  readonly joined?: readonly string[] | undefined
}

/** Points on the line are named up to this number. */
const named = 5

export function pointsByValue({
  across,
  up,
  scale = 'linear',
  points,
  joined = [],
  ...titles
}: PointsByValue): Picture {
  const groups = [...new Set(points.map(({ group }) => group ?? ''))]
  const joints = new Map(joined.map((name, order) => [name, order]))
  const values = points.map(({ group = '', ...point }) => ({ ...point, group, order: joints.get(point.name) ?? -1 }))
  const spacing = scale === 'log' ? { type: 'log' as const, base: 2 } : { zero: false }
  const x = { field: 'x', type: 'quantitative' as const, title: across, scale: spacing }
  const y = { field: 'y', type: 'quantitative' as const, title: up, scale: { zero: false } }
  return {
    title: caption(titles),
    width: 560,
    height: 360,
    data: { values },
    layer: [
      ...(joined.length === 0
        ? []
        : [
            {
              transform: [{ filter: 'datum.order >= 0' }],
              mark: { type: 'line' as const, interpolate: 'step-after' as const, strokeDash: [4, 3], aria: false },
              encoding: { x, y, order: { field: 'order', type: 'quantitative' as const } },
            },
          ]),
      ...(points.some(({ low }) => low !== undefined)
        ? [
            {
              transform: [{ filter: 'isValid(datum.low)' }],
              mark: { type: 'rule' as const, aria: false },
              encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' } },
            },
          ]
        : []),
      {
        mark: { type: 'point', filled: true, size: 46, opacity: 0.85 },
        encoding: {
          x,
          y,
          description: { field: 'words' },
          // more groups than inks: shades of one colour
          ...(groups.length < 2
            ? {}
            : {
                color: {
                  field: 'group',
                  type: 'nominal' as const,
                  sort: null,
                  title: null,
                  ...(groups.length > 7 ? { scale: { scheme: 'viridis' as const } } : {}),
                },
              }),
        },
        transform: [
          { calculate: `datum.name + ': ' + format(datum.x, '.4~g') + ', ' + format(datum.y, '.2f')`, as: 'words' },
        ],
      },
      ...(joined.length === 0 || joined.length > named
        ? []
        : [
            {
              transform: [{ filter: 'datum.order >= 0' }],
              mark: { type: 'text' as const, dy: -10, fontSize: 11, color: { expr: 'quiet' }, aria: false },
              encoding: { x, y, text: { field: 'name' } },
            },
          ]),
    ],
  }
}
