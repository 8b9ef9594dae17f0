/** Checkpoints × representations as the arms of a search. */
import { fault } from '#core'
import { type Model, statesOf } from '#model/checkpoint'
import {
  checkRepresentationName,
  meansNamed,
  type Representation,
  representationName,
  representationsNamed,
  statesNamed,
  toWhole,
} from '#representation/layers'
import type { Checkpoint } from './checkpoints.ts'
import { armKey } from './grid.ts'
import type { Arm } from './policy.ts'
import type { SearchOptions } from './search-options.ts'

export interface LiveArm extends Arm {
  readonly layer: string
}

/**
 * The number of layers comes from one opened checkpoint; arms of others with fewer layers fail. Throws
 * `representation.unknown` for a word that names no representation of any model.
 */
export async function nameArms(
  checkpoints: readonly Checkpoint[],
  model: Model,
  { layers, neighbours = [], representations = [] }: Pick<SearchOptions, 'layers' | 'neighbours' | 'representations'>,
): Promise<readonly LiveArm[]> {
  const states = statesNamed(layers, statesOf(model).count)
  for (const name of representations) checkRepresentationName(name)
  const names = new Set([
    ...states.map((h) => `h${h}`),
    ...neighbours.flatMap((count) => meansNamed(states, count)),
    ...representations,
  ])
  return checkpoints.flatMap(({ name: checkpoint }) =>
    Array.from(names, (layer) => ({ key: armKey(checkpoint, layer), checkpoint, layer })),
  )
}

export async function findRepresentation(layer: string, model: Model): Promise<Representation> {
  const [representation] = await representationsNamed([layer], model)
  if (representation === undefined)
    throw fault('representation.unknown', { place: layer, what: 'no such representation' })
  if (toWhole(representation).kind === 'combination' || representationName(representation) === layer)
    return representation
  throw fault('representation.unknown', { place: layer, what: 'no such representation of the model' })
}
