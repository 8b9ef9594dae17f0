/** A quantised checkpoint as plain floats, tensor by tensor when it is read. */
import { fingerprint, type TensorSource } from '#core'
import { missingTensor, narrow } from '#files/formats'
import { planAwq } from './awq.ts'
import { planBitsAndBytes } from './bitsandbytes.ts'
import { planCompressed } from './compressed.ts'
import type { Derived } from './derived.ts'
import { planFp8 } from './fp8.ts'
import { planGptq } from './gptq.ts'
import { planMxfp4 } from './mxfp4.ts'
import type { Quantisation } from './quantisation.ts'

/**
 * The source with every quantised weight under its plain name, as the method's reference dequantises it; codes, scales
 * and scales of activations are hidden, all else passes through with its location. Nothing but small tables is read
 * before a tensor is; closing closes the source. Throws `tensor.missing`, `tensor.shape`, `tensor.dtype`,
 * `tensor.value`.
 */
export async function dequantised(source: TensorSource, quantisation: Quantisation): Promise<TensorSource> {
  const derived = new Map((await planOf(source, quantisation)).map((one) => [one.info.name, one]))
  const hidden = new Set([...derived.values()].flatMap(({ parts }) => parts))
  const isHidden = (name: string): boolean => hidden.has(name) || activationScale.test(name)
  const names = [
    ...new Set(
      source.names().flatMap((name) => whole(derived, name) ?? (isHidden(name) && !derived.has(name) ? [] : [name])),
    ),
  ]
  const known = new Set(names)
  return {
    name: source.name,
    names: () => names,
    info: (name) => derived.get(name)?.info ?? (known.has(name) ? source.info(name) : undefined),
    async read(name) {
      const one = derived.get(name)
      if (one !== undefined) return narrow(await one.values(), one.info.dtype)
      if (!known.has(name)) throw missingTensor(source.name, name)
      return source.read(name)
    },
    locate: (name) => (known.has(name) && !derived.has(name) ? source.locate(name) : undefined),
    identity: async () => fingerprint({ dequantised: quantisation, source: await source.identity() }),
    close: () => source.close(),
  }
}

/** The name of the weight that a stored tensor is the first part of: it takes its place in the order. */
function whole(derived: ReadonlyMap<string, Derived>, stored: string): readonly string[] | undefined {
  const made = [...suffixes].flatMap(([suffix, plain]) =>
    stored.endsWith(suffix) ? [`${stored.slice(0, -suffix.length)}${plain}`] : [],
  )
  const found = made.filter((name) => derived.get(name)?.parts.includes(stored) === true)
  return found.length === 0 ? undefined : found
}

const suffixes = new Map([
  ['.qweight', '.weight'],
  ['.weight_packed', '.weight'],
  ['_blocks', ''],
])

/** What belongs to activations and the cache of keys and values alone. */
const activationScale =
  /\.(?:activation_scale|input_scale(?:_ub)?|input_zero_point|input_global_scale|output_scale|output_zero_point|[qkv]_scale|[qkv]_zero_point|weight_format)$/

function planOf(source: TensorSource, quantisation: Quantisation): readonly Derived[] | Promise<readonly Derived[]> {
  switch (quantisation.method) {
    case 'fp8':
    case 'fbgemm_fp8':
      return planFp8(source, quantisation)
    case 'gptq':
      return planGptq(source, quantisation)
    case 'awq':
      return planAwq(source, quantisation)
    case 'bitsandbytes':
      return planBitsAndBytes(source, quantisation)
    case 'compressed-tensors':
      return planCompressed(source, quantisation)
    case 'mxfp4':
      return planMxfp4(source, quantisation)
    default:
      return quantisation satisfies never
  }
}
