/** One point per row, placed by two of its numbers: a metric and a score, or a cost and a score. */
import { caption, type Caption, type Picture } from './picture.ts'

export interface PointsByValue extends Caption {
  readonly across: string
  readonly up: string
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
  /** Names in the order of the line that joins them: a frontier. Up to five points are named, or the joined ones. */
  readonly joined?: readonly string[] | undefined
  /** Values across span orders of magnitude, all above 0. */
  readonly logarithmic?: boolean | undefined
}

/** More names would cover one another. */
const mostNamed = 5

export function pointsByValue({
  across,
  up,
  points,
  joined = [],
  logarithmic = false,
  ...titles
}: PointsByValue): Picture {
  const groups = [...new Set(points.map(({ group }) => group ?? ''))]
  const values = placed(points, joined, logarithmic)
  const scale = logarithmic ? { type: 'log' as const, nice: true } : { zero: false }
  // labels of neighbouring decades would touch
  const axis = logarithmic ? { labelOverlap: 'greedy' as const, labelSeparation: 8 } : {}
  const x = { field: 'x', type: 'quantitative' as const, title: across, scale, axis }
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
              mark: { type: 'rule' as const, color: { expr: 'quiet' }, aria: false },
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
      ...(joined.length === 0 || Math.min(joined.length, points.length) > mostNamed
        ? []
        : (['left', 'right'] as const).map((side) => ({
            transform: [
              { filter: `datum.side === '${side}'` },
              ...(points.length > mostNamed ? [{ filter: 'datum.order >= 0' }] : []),
            ],
            mark: { type: 'text' as const, align: side, dy: -10, fontSize: 11, color: { expr: 'quiet' }, aria: false },
            encoding: { x, y, text: { field: 'name' } },
          }))),
    ],
  }
}

/** Points with their place on the line, and the side on which a name extends towards the middle of the picture. */
function placed(points: PointsByValue['points'], joined: readonly string[], logarithmic: boolean): object[] {
  const joints = new Map(joined.map((name, order) => [name, order]))
  const along = (value: number): number => (logarithmic ? Math.log(value) : value)
  const ends = points.map((point) => along(point.x))
  const middle = (Math.min(...ends) + Math.max(...ends)) / 2
  return points.map(({ group = '', ...point }) => ({
    ...point,
    group,
    order: joints.get(point.name) ?? -1,
    side: along(point.x) > middle ? 'right' : 'left',
  }))
}
