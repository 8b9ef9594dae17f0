/** Scores by group of tasks as bars, one colour per row; differences by group as boxes. */
import { caption, type Caption, type Picture } from './picture.ts'

interface Grouped extends Caption {
  /** From top to bottom. */
  readonly groups: readonly string[]
  /** One colour each, in the order of the legend. */
  readonly rows: readonly string[]
  /** Title of the axis of values. */
  readonly across: string
}

export interface BarsByGroup extends Grouped {
  /** [rows][groups], as drawn; null where there is none. */
  readonly values: readonly (readonly (number | null)[])[]
}

export interface BoxesByGroup extends Grouped {
  /** [rows][groups][tasks], as drawn. */
  readonly values: readonly (readonly (readonly number[])[])[]
}

const width = 400
/** Height of one bar in pixels. */
const bar = 11

export function barsByGroup({ groups, rows, across, values, ...named }: BarsByGroup): Picture {
  return {
    ...frame({ groups, rows, ...named }),
    data: {
      values: values.flatMap((line, i) =>
        line.flatMap((value, at) => (value === null ? [] : [{ row: rows[i], group: groups[at], value }])),
      ),
    },
    mark: { type: 'bar' },
    encoding: {
      ...places({ groups, rows }),
      x: { field: 'value', type: 'quantitative', title: across },
      description: { field: 'words' },
    },
    transform: [{ calculate: "datum.row + ', ' + datum.group + ': ' + format(datum.value, '.2f')", as: 'words' }],
  }
}

/** The middle half of the tasks is the box, its line their median; whiskers reach 1.5 times the box, dots lie beyond. */
export function boxesByGroup({ groups, rows, across, values, ...named }: BoxesByGroup): Picture {
  return {
    ...frame({ groups, rows, ...named }),
    data: {
      values: values.flatMap((line, i) =>
        line.flatMap((own, at) => own.map((value) => ({ row: rows[i], group: groups[at], value }))),
      ),
    },
    mark: {
      type: 'boxplot',
      size: bar - 2,
      outliers: { size: 10 },
      median: { color: { expr: 'paper' } },
      rule: { color: { expr: 'quiet' } },
    },
    encoding: { ...places({ groups, rows }), x: { field: 'value', type: 'quantitative', title: across } },
  }
}

function frame({ groups, ...named }: Omit<Grouped, 'across'>): Pick<Picture, 'title' | 'usermeta'> & {
  width: number
  height: { step: number; for: 'offset' }
} {
  const { title, subtitle } = named
  return {
    title: caption({ title, subtitle }),
    usermeta: { labels: [...groups] },
    width,
    height: { step: bar, for: 'offset' },
  }
}

function places({ groups, rows }: Pick<Grouped, 'groups' | 'rows'>) {
  return {
    y: {
      field: 'group',
      type: 'nominal' as const,
      sort: [...groups],
      title: null,
      axis: { labelLimit: 260, ticks: false },
    },
    yOffset: { field: 'row', type: 'nominal' as const, sort: [...rows] },
    color: {
      field: 'row',
      type: 'nominal' as const,
      sort: [...rows],
      title: null,
      legend: rows.length > 1 ? {} : null,
    },
  }
}
