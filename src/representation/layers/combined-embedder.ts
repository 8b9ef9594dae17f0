/**
 * A combination of hidden states as an embedder, every state from the one cache of layer vectors, mixed on the way out;
 * and as an encoder that keeps nothing.
 */
import { type Embedder, matrix } from '#core'
import { rememberedKeys } from '#platform/vectors'
import { type CombinationRepresentation, layersOf, mixedWidth, mixing } from './combination.ts'
import type { Encoder, EmbedderOptions, States } from '#model/checkpoint'

/** Throws `representation.*` for a combination that is not of this model's states. */
export async function combinedEmbedder(
  states: States,
  combination: CombinationRepresentation,
  { keys = rememberedKeys(), keep, place }: EmbedderOptions & { readonly place: string },
): Promise<Embedder> {
  const { name: representation, mix, pooling } = combination
  const layers = layersOf(mix)
  const embedders = new Map<number, Embedder>()
  // One pass for all of them, as far as the highest unless the caller needs more.
  const highest = Math.max(...layers)
  const kept = keep === 'all' ? keep : Math.max(highest, typeof keep === 'number' ? keep : 0)
  for (const h of layers) embedders.set(h, await states.embedder({ kind: 'state', h, pooling }, { keep: kept, keys }))
  const widths = Array.from({ length: states.count }, (_, h) => embedders.get(h)?.width ?? 0)
  const [first] = embedders.values()
  return {
    representation,
    width: mixedWidth({ mix, name: `${place} › ${representation}` }, widths),
    async embed(texts, options) {
      const mixed = await mixing(combination, texts.length, widths)
      for (const [h, embedder] of embedders) await mixed.add(h, await embedder.embed(texts, options))
      return mixed.finish()
    },
    // what keeps one state of a text keeps all
    prepare: async (texts, options) => first?.prepare?.(texts, options),
  }
}

/** One pass per text; one slot, the combination. */
export async function combinedEncoder(
  states: States,
  combination: CombinationRepresentation,
  place: string,
): Promise<Encoder> {
  const { name, mix, pooling } = combination
  const layers = layersOf(mix)
  const encoder = await states.encoder(layers, pooling)
  const widths = Array.from({ length: states.count }, (_, h) => encoder.slots[layers.indexOf(h)]?.width ?? 0)
  return {
    slots: [{ name, width: mixedWidth({ mix, name: `${place} › ${name}` }, widths) }],
    async encode(texts, prompt, call) {
      const values = await encoder.encode(texts, prompt, call)
      const mixed = await mixing(combination, texts.length, widths)
      for (const [at, h] of layers.entries()) await mixed.add(h, matrix(texts.length, widths[h] ?? 0, values[at]))
      return [mixed.finish().data]
    },
  }
}
