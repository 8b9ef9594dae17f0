/**
 * A model seen through a representation: the one place where a representation becomes an embedder, or an encoder that
 * keeps nothing.
 */
import { type Embedder, fault, matrix, type Searcher, type Similarity } from '#core'
import { normed } from './combination.ts'
import { combinedEmbedder, combinedEncoder, sharedStates } from './combined-embedder.ts'
import { type Encoder, type EmbedderOptions, type Model, requireSplade, statesOf } from '#model/checkpoint'
import { makeRoom, remembering } from './remembering.ts'
import {
  type Representation,
  representationKey,
  representationName,
  type SizedRepresentation,
  type WholeRepresentation,
  toWhole,
  withoutVector,
} from './representation.ts'
import { cutEmbedder, cutEncoder, typedEmbedder } from './sized-embedder.ts'

/**
 * A model seen through a representation, as an embedder: texts in, vectors [texts × width] out. Throws
 * `representation.unknown` for a state that the model does not have, `usage.conflict` for a combination of layers of a
 * model that has none.
 *
 * @example
 * ```ts
 * import { openModel, openRepresentation } from 'strata-lm/layers'
 *
 * const model = await openModel('assets/models/stories260K')
 * const embedder = await openRepresentation(model, { kind: 'state', h: 3 })
 * console.log(embedder.representation, embedder.width) // → h3 64
 * await model.close()
 * ```
 */
export async function openRepresentation(
  model: Model,
  representation: Representation,
  options: EmbedderOptions = {},
): Promise<Embedder> {
  return withSize(model, representation, await chooseEmbedder(model, toWhole(representation), options))
}

/**
 * `openRepresentation` for representations that are opened in turn and asked for the same texts: sizes and types of one
 * whole representation share its vectors, and types of one size the cut ones; up to `bytes` of either stay in memory
 * until another one's turn. Combinations share up to `bytes` of the states that they are made of.
 */
export function representationOpener(
  model: Model,
  representations: readonly Representation[],
  { bytes, ...options }: EmbedderOptions & { readonly bytes?: number | undefined } = {},
): (representation: Representation) => Promise<Embedder> {
  const wholes = representations.map((one) => representationKey(toWhole(one)))
  const [lastWhole, lastCut] = [lastRemembered(bytes), lastRemembered(bytes)]
  const mixed = representations.filter((one) => toWhole(one).kind === 'combination')
  const shared = model.states !== undefined && mixed.length > 1 && sharedStates(model.states, makeRoom(bytes))
  const mixable = shared ? { ...model, states: shared } : model
  return async (representation) => {
    const whole = toWhole(representation)
    const key = representationKey(whole)
    const open = () => chooseEmbedder(whole.kind === 'combination' ? mixable : model, whole, options)
    if (wholes.indexOf(key) === wholes.lastIndexOf(key)) return withSize(model, representation, await open())
    const embedder = await lastWhole(key, open)
    if (representation.kind !== 'sized') return withUnit(model, embedder)
    const first = await lastCut(`${representation.dimensions ?? 'all'} ${key}`, () =>
      Promise.resolve(cutOf(model, representation, embedder)),
    )
    return typedEmbedder(first, representation)
  }
}

/** The embedder of the last key stays, with its vectors. */
function lastRemembered(bytes: number | undefined): (key: string, open: () => Promise<Embedder>) => Promise<Embedder> {
  let last: { readonly key: string; readonly embedder: Promise<Embedder> } | undefined
  return (key, open) => {
    if (last?.key !== key) last = { key, embedder: open().then((embedder) => remembering(embedder, makeRoom(bytes))) }
    return last.embedder
  }
}

/**
 * A model seen through a representation that searches by more than one vector per text: MaxSim of tokens, or the
 * folder's own way. Undefined for one that embeds.
 */
export async function openSearcher(model: Model, representation: Representation): Promise<Searcher | undefined> {
  if (representation.kind === 'default') return model.searcher?.()
  if (representation.kind === 'splade') return model.splade?.searcher?.()
  return representation.kind === 'tokens' ? statesOf(model).searcher(representation.h) : undefined
}

function withSize(model: Model, representation: Representation, whole: Embedder): Embedder {
  if (representation.kind !== 'sized') return withUnit(model, whole)
  return typedEmbedder(cutOf(model, representation, whole), representation)
}

function cutOf(model: Model, representation: SizedRepresentation, whole: Embedder): Embedder {
  assertDense(model, representation)
  return cutEmbedder(whole, representation, { isUnit: model.settings.normalize === true, place: model.name })
}

/** The first numbers of a sparse vector are no shorter one, and most of its numbers are 0 in any type. */
function assertDense({ name, sparse }: Model, representation: SizedRepresentation): void {
  const { kind } = representation.of
  if (kind !== 'splade' && (kind !== 'default' || sparse === undefined)) return
  throw fault('representation.unknown', {
    place: name,
    what: 'sparse vectors have no smaller size and no other type',
    seen: representationName(representation),
    wanted: kind,
  })
}

/** How vectors of a representation are compared: weights of words by their products, others as the folder says. */
export function findSimilarity({ settings }: Pick<Model, 'settings'>, representation: Representation): Similarity {
  return toWhole(representation).kind === 'splade' ? 'dot' : settings.similarity
}

function withUnit(model: Model, whole: Embedder): Embedder {
  if (model.settings.normalize !== true) return whole
  return { ...whole, embed: async (texts, call) => normed(await whole.embed(texts, call), 'l2') }
}

function chooseEmbedder(
  model: Model,
  representation: WholeRepresentation,
  options: EmbedderOptions,
): Promise<Embedder> {
  switch (representation.kind) {
    case 'default':
      return model.embedder(options)
    case 'splade':
      return requireSplade(model).embedder()
    case 'state':
      if (model.states !== undefined) return model.states.embedder(representation, options)
      throw fault('representation.unknown', {
        place: model.name,
        what: 'the model has no hidden states',
        seen: representationName(representation),
        wanted: 'default',
      })
    case 'tokens':
      throw withoutVector(representation, model.name)
    case 'combination':
      return combinedEmbedder(statesOf(model), representation, { ...options, place: model.name })
    default:
      return representation satisfies never
  }
}

/**
 * The same straight from the model: one slot, under the representation's name, in float32 whatever its type. Throws
 * `usage.conflict` for layers of a model that has none.
 */
export async function representationEncoder(model: Model, representation: Representation): Promise<Encoder> {
  const isUnit = model.settings.normalize === true
  const encoder = await chooseEncoder(model, toWhole(representation))
  if (representation.kind === 'sized') assertDense(model, representation)
  if (representation.kind === 'sized') return cutEncoder(encoder, representation, { isUnit, place: model.name })
  if (!isUnit) return encoder
  return {
    ...encoder,
    async encode(texts, prompt, call) {
      const values = await encoder.encode(texts, prompt, call)
      return values.map((data, at) => normed(matrix(texts.length, encoder.slots[at]?.width ?? 0, data), 'l2').data)
    },
  }
}

async function chooseEncoder(model: Model, representation: WholeRepresentation): Promise<Encoder> {
  switch (representation.kind) {
    case 'default':
      return model.encoder()
    case 'splade':
      return requireSplade(model).encoder()
    case 'state': {
      const encoder = await statesOf(model).encoder([representation.h], representation.pooling)
      return {
        ...encoder,
        slots: encoder.slots.map(({ width }) => ({ name: representationName(representation), width })),
      }
    }
    case 'tokens':
      throw withoutVector(representation, model.name)
    case 'combination':
      return combinedEncoder(statesOf(model), representation, model.name)
    default:
      return representation satisfies never
  }
}
