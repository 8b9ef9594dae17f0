/** How fast a representation encodes on this machine, now: recorded seconds are those of other hours. */
import type { Model } from '#model/checkpoint'
import { type Representation, representationEncoder } from '#representation/layers'

/** Different sentences of about 20 words. */
const sample = Array.from(
  { length: 256 },
  (_, i) =>
    `The ${i}th of these sentences says nothing at all, and it takes as many words to do so as a sentence usually has.`,
)

/** Texts per second of the second of two runs: the first one opens the graph. Nothing is read from the cache. */
export async function encodingSpeed(model: Model, representation: Representation): Promise<number> {
  const encoder = await representationEncoder(model, representation)
  await encoder.encode(sample.slice(0, 32), null, {})
  const started = performance.now()
  await encoder.encode(sample, null, {})
  return sample.length / ((performance.now() - started) / 1000)
}
