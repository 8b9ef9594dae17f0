/** The points of a frontier: layers × poolings × leading dimensions × types of one model. */
import { fault } from '#core'
import { type Model, statesOf } from '#model/checkpoint'
import type { PoolingName } from '#model/passes'
import {
  type GridAxes,
  type GridPoint,
  openRepresentation,
  representationGrid,
  statesNamed,
  type WholeRepresentation,
} from '#representation/layers'

export interface FrontierAxes extends GridAxes {
  /** `all`, `none`, or hidden states such as `0,3,-1`; a model without layers has none. */
  readonly layers: string
  /** Poolings of the hidden states; default: the model's own. `default` has its own in any case. */
  readonly poolings?: readonly PoolingName[] | undefined
}

/**
 * `default` first where the model has one. Throws `representation.unknown` for dimensions that no vector of the model
 * has, `usage.conflict` for layers of a model without any.
 */
export async function frontierPoints(model: Model, { layers, poolings, ...axes }: FrontierAxes): Promise<GridPoint[]> {
  const wholes = wholesOf(model, layers, poolings)
  const sized = await Promise.all(
    wholes.map(async (of) => ({ of, width: (await openRepresentation(model, of, { keep: 'all' })).width })),
  )
  const widest = Math.max(...sized.map(({ width }) => width))
  const beyond = axes.dims?.find((dimensions) => dimensions > widest)
  if (beyond !== undefined)
    throw fault('representation.unknown', {
      place: `${model.name} › --dims`,
      what: 'the vectors have fewer dimensions',
      seen: beyond,
      wanted: `1 … ${widest}`,
    })
  return representationGrid(sized, axes)
}

function wholesOf(model: Model, layers: string, poolings: FrontierAxes['poolings']): WholeRepresentation[] {
  const own: WholeRepresentation[] = model.defaultLacks === undefined ? [{ kind: 'default' }] : []
  if (layers === 'none' || (layers === 'all' && model.states === undefined && poolings === undefined)) return own
  const [single, ...more] = model.settings.pooling
  // the model's own pooling has no name in a representation
  const named = [
    ...new Set((poolings ?? [undefined]).map((one) => (more.length === 0 && one === single ? undefined : one))),
  ]
  return [
    ...own,
    ...statesNamed(layers, statesOf(model).count).flatMap((h) =>
      named.map((pooling) => ({ kind: 'state' as const, h, ...(pooling === undefined ? {} : { pooling }) })),
    ),
  ]
}
