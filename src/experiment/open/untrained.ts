/**
 * A model as if it had never been trained: the matrices of its blocks drawn anew, the embeddings left as they are –
 * Holmes's control, after Jawahar et al. 2019. Uniform as Glorot & Bengio 2010; norms are 1 and 0, biases 0.01.
 */
import { elementCount, fingerprint, type TensorInfo, type TensorSource } from '#core'
import { narrow } from '#files/formats'
import { openModelParts, type Model } from '#model/checkpoint'
import { roleByName } from '#model/architectures'
import { philox } from '#platform/random'
import { closingOnFailure, type OpenModelOptions, resolveModel } from './open-model.ts'

const biases = 0.01

/**
 * A model as if it had never been trained: the matrices of its blocks are drawn anew from `seed` (uniform, Glorot), the
 * embeddings stay. The control `random-weights` compares with it. Throws what opening throws.
 *
 * @example
 * ```ts
 * import { openUntrained } from 'strata-lm/probing'
 *
 * const model = await openUntrained('assets/models/stories260K', { seed: 0 })
 * console.log(model.states?.count) // → 6
 * await model.close()
 * ```
 */
export async function openUntrained(
  reference: string,
  { seed = 0, ...options }: OpenModelOptions & { readonly seed?: number } = {},
): Promise<Model> {
  const resolved = await resolveModel(reference, options)
  return closingOnFailure(resolved.tensors, () =>
    openModelParts({ ...resolved, tensors: untrained(resolved.tensors, seed) }, options),
  )
}

/** The same names and shapes with other numbers in the blocks. */
export function untrained(source: TensorSource, seed: number): TensorSource {
  const drawn = (name: string): boolean => {
    const { layer, kind } = roleByName(name)
    return layer !== undefined && kind !== 'buffer' && floating.has(source.info(name)?.dtype ?? '')
  }
  return {
    name: source.name,
    names: () => source.names(),
    info: (name) => source.info(name),
    async read(name) {
      const info = source.info(name)
      return info === undefined || !drawn(name) ? source.read(name) : narrow(valuesOf(info, seed), info.dtype)
    },
    locate: (name) => (drawn(name) ? undefined : source.locate(name)),
    identity: async () => fingerprint({ untrained: await source.identity(), seed }),
    close: () => source.close(),
  }
}

const floating = new Set<string>(['F16', 'BF16', 'F32', 'F64'])

function valuesOf({ name, shape }: TensorInfo, seed: number): Float32Array {
  const count = elementCount(shape)
  if (shape.length < 2) {
    const bias = isNorm(name) ? 0 : biases
    return new Float32Array(count).fill(name.endsWith('bias') ? bias : 1)
  }
  const [out = 1, into = 1, ...rest] = shape
  // in a convolution, every position of its window counts
  const bound = Math.sqrt(6 / ((out + into) * elementCount(rest)))
  const words = new Uint32Array(count)
  philox(`untrained ${seed} ${name}`)(0, words)
  return Float32Array.from(words, (word) => ((2 * (word + 0.5)) / 2 ** 32 - 1) * bound)
}

function isNorm(name: string): boolean {
  return /norm|\bln|layernorm/i.test(name)
}
