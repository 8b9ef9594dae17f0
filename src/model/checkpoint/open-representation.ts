/** A model seen through a representation: the one place where a representation becomes an embedder. */
import { type Embedder, fault } from '#core'
import type { EmbedderOptions, Model } from './model.ts'
import { type Representation, representationName } from './representation.ts'

/** Throws `representation.unknown` for a state that the model does not have. */
export function openRepresentation(model: Model, representation: Representation, options: EmbedderOptions = {}): Promise<Embedder> {
  switch (representation.kind) {
    case 'default':
      return model.embedder(options)
    case 'state':
      if (model.states !== undefined) return model.states.embedder(representation, options)
      throw fault('representation.unknown', {
        place: model.name,
        what: 'the model has no hidden states',
        seen: representationName(representation),
        wanted: 'default',
      })
    default:
      return representation satisfies never
  }
}
