/** A tree of similar rows, the nearest joined first: names down, distance across. */
import { type Joint, leavesOf } from '#platform/linalg'
import { caption, type Caption, type Picture } from './picture.ts'

export interface Dendrogram extends Caption {
  /** In the order of the rows that were clustered. */
  readonly names: readonly string[]
  readonly joints: readonly Joint[]
}

const rowHeight = 18
/** From this number of names on, rows are lower and letters smaller. */
const many = 60

export function dendrogram({ names, joints, ...titles }: Dendrogram): Picture {
  const order = leavesOf(joints)
  const isDense = names.length >= many
  /** Position of a cluster's branch: its height among the rows, and the distance at which it was joined. */
  const branches: { y: number; x: number }[] = names.map((_, row) => ({ y: order.indexOf(row), x: 0 }))
  const segments = joints.flatMap(({ left, right, distance }) => {
    const [a, b] = [branches[left] ?? { x: 0, y: 0 }, branches[right] ?? { x: 0, y: 0 }]
    branches.push({ x: distance, y: (a.y + b.y) / 2 })
    return [
      { x: a.x, x2: distance, y: a.y, y2: a.y },
      { x: b.x, x2: distance, y: b.y, y2: b.y },
      { x: distance, x2: distance, y: a.y, y2: b.y },
    ]
  })
  const y = {
    field: 'y',
    type: 'quantitative' as const,
    axis: null,
    scale: { domain: [-0.5, names.length - 0.5], reverse: true, nice: false },
  }
  return {
    title: caption(titles),
    usermeta: { labels: [...names] },
    width: 420,
    height: (isDense ? 12 : rowHeight) * names.length,
    layer: [
      {
        data: { values: segments },
        mark: { type: 'rule', aria: false, color: { expr: 'quiet' } },
        encoding: {
          x: { field: 'x', type: 'quantitative', title: 'distance' },
          x2: { field: 'x2' },
          y,
          y2: { field: 'y2' },
        },
      },
      {
        data: { values: order.map((row, place) => ({ x: 0, y: place, name: names[row] ?? '' })) },
        mark: {
          type: 'text',
          align: 'right',
          dx: -6,
          baseline: 'middle',
          fontSize: isDense ? 9 : 11,
          limit: 320,
          color: { expr: 'quiet' },
        },
        encoding: { x: { field: 'x', type: 'quantitative', title: 'distance' }, y, text: { field: 'name' } },
      },
    ],
  }
}
