/** One value per name, from top to bottom: a point with its interval, or a bar from zero. */
import { caption, type Caption, type Layers, type Picture } from './picture.ts'

export interface ValuesByName extends Caption {
  /** Title of the axis of values. */
  readonly across: string
  /** As drawn, in the order of the names; several of one name in colours of their groups. */
  readonly values: readonly {
    readonly name: string
    readonly value: number
    readonly low?: number | undefined
    readonly high?: number | undefined
    readonly group?: string | undefined
  }[]
  /** Bars from zero, for gains and losses; default: points. */
  readonly isBars?: boolean | undefined
  /** A line where nothing differs. */
  readonly hasZero?: boolean | undefined
}

const width = 420

export function valuesByName({ across, values, isBars = false, hasZero = false, ...named }: ValuesByName): Picture {
  const names = [...new Set(values.map(({ name }) => name))]
  const groups = [...new Set(values.flatMap(({ group }) => group ?? []))]
  const y = {
    field: 'name',
    type: 'nominal' as const,
    sort: names,
    title: null,
    axis: { labelLimit: isBars ? 270 : 320, labelOverlap: false, ticks: false },
  }
  const isOffset = groups.length > 1 && !isBars
  const offset = isOffset ? { yOffset: { field: 'group', type: 'nominal' as const, sort: groups } } : {}
  const colour = {
    field: 'group',
    type: 'nominal' as const,
    sort: groups,
    title: null,
    legend: isOffset ? {} : null,
  }
  const x = { field: 'value', type: 'quantitative' as const, title: across, scale: { zero: isBars || hasZero } }
  const bars: Layers[number] = {
    mark: { type: 'bar' },
    encoding: { y, ...offset, x, color: colour, description: { field: 'words' } },
  }
  return {
    title: caption(named),
    usermeta: { labels: names },
    width: isBars ? 240 : width,
    height: isOffset ? { step: 11, for: 'offset' } : { step: 18 },
    data: { values: values.map((one) => ({ ...one, group: one.group ?? '' })) },
    transform: [{ calculate: "datum.name + ': ' + format(datum.value, '.2f')", as: 'words' }],
    layer: [
      ...(hasZero || isBars ? [zero] : []),
      ...(isBars
        ? [bars]
        : [
            {
              transform: [{ filter: 'isValid(datum.low)' }],
              mark: { type: 'rule' as const, strokeWidth: 2, aria: false },
              encoding: { y, ...offset, x: { ...x, field: 'low' }, x2: { field: 'high' }, color: colour },
            },
            {
              mark: { type: 'point' as const, filled: true, size: 56, opacity: 1 },
              encoding: { y, ...offset, x, color: colour, description: { field: 'words' } },
            },
          ]),
    ],
  }
}

const zero: Layers[number] = {
  mark: { type: 'rule', color: { expr: 'quiet' }, aria: false },
  encoding: { x: { datum: 0 } },
}
