/** The states of texts, layer by layer, from the shared cache of layer vectors. */
import type { CallOptions, Matrix } from '#core'
import { type Model, statesOf } from '#model/checkpoint'
import { openRepresentation, type Representation, representationName } from '#representation/layers'
import { checkFinite } from './check-finite.ts'
import { rememberedKeys } from '#platform/vectors'

/**
 * Every state for the given rows, [rows × width] each, h = 0 first, followed by the other requested representations.
 * Texts that are not cached pass the model once.
 */
export type LayerRows = (rows: ArrayLike<number>) => Promise<Matrix[]>

/**
 * Throws `usage.conflict` for a model without layers; the returned function throws `tensor.value` for a vector that is
 * not finite.
 */
export async function layerRows(
  model: Model,
  texts: readonly string[],
  call: CallOptions,
  more: readonly Representation[] = [],
): Promise<LayerRows> {
  const states = statesOf(model)
  const keys = rememberedKeys()
  const all: readonly Representation[] = [
    ...Array.from({ length: states.count }, (_, h) => ({ kind: 'state' as const, h })),
    ...more,
  ]
  const embedders = await Promise.all(
    all.map(async (one) => {
      const embedder = await openRepresentation(model, one, { keep: 'all', keys })
      // ranges of all texts, whichever rows are asked for
      return { name: representationName(one), embedder: (await embedder.calibrate?.([{ texts }], call)) ?? embedder }
    }),
  )
  return async (rows) => {
    const asked = Array.from(rows, (row) => texts[row] ?? '')
    const seen: Matrix[] = []
    for (const { name, embedder } of embedders) {
      const vectors = await embedder.embed(asked, call)
      checkFinite(name, vectors.data, asked)
      seen.push(vectors)
    }
    return seen
  }
}
