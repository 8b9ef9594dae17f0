/**
 * A combination of hidden states as an embedder, every state from the one cache of layer vectors, mixed on the way out;
 * and as an encoder that keeps nothing.
 */
import { type Embedder, matrix } from '#core'
import { rememberedKeys } from '#platform/vectors'
import { type CombinationRepresentation, layersOf, mixedWidth, mixer } from './combination.ts'
import type { Encoder, EmbedderOptions, States } from '#model/checkpoint'
import { remembering, type Room } from './remembering.ts'

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
  const width = mixedWidth({ mix, name: `${place} › ${representation}` }, widths)
  const mixingOf = mixer(combination, widths)
  return {
    representation,
    width,
    async embed(texts, options) {
      const mixed = await mixingOf(texts.length)
      for (const [h, embedder] of embedders) await mixed.add(h, await embedder.embed(texts, options))
      return mixed.finish()
    },
    // what keeps one state of a text keeps all
    prepare: async (texts, options) => first?.prepare?.(texts, options),
  }
}

/**
 * The states for combinations that are opened in turn and asked for the same texts: each is opened once, and its
 * vectors stay in memory, up to `room` of all states together.
 */
export function sharedStates(states: States, room: Room): States {
  const opened = new Map<string, Promise<Embedder>>()
  return {
    ...states,
    embedder(state, options) {
      const key = JSON.stringify([state.h, state.pooling, options?.keep])
      const known = opened.get(key) ?? states.embedder(state, options).then((one) => remembering(one, room))
      opened.set(key, known)
      return known
    },
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
  const width = mixedWidth({ mix, name: `${place} › ${name}` }, widths)
  const mixingOf = mixer(combination, widths)
  return {
    slots: [{ name, width }],
    async encode(texts, prompt, call) {
      const values = await encoder.encode(texts, prompt, call)
      const mixed = await mixingOf(texts.length)
      for (const [at, h] of layers.entries()) await mixed.add(h, matrix(texts.length, widths[h] ?? 0, values[at]))
      return [mixed.finish().data]
    },
  }
}
