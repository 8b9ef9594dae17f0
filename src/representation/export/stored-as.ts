/** Some of a source's tensors, as they are or in another floating-point type. */
import { type Dtype, dtypeBytes, elementCount, fingerprint, type TensorInfo, type TensorSource } from '#core'
import { missingTensor, narrow, readFloat32 } from '#files/formats'

/** `typeOf`: what a tensor of this type is stored as. The source stays open when this one is closed. */
export function storedAs(
  source: TensorSource,
  names: readonly string[],
  typeOf: (dtype: Dtype) => Dtype,
): TensorSource {
  const kept = new Set(names)
  const infoOf = (name: string): TensorInfo | undefined => {
    const info = kept.has(name) ? source.info(name) : undefined
    if (info === undefined) return undefined
    const dtype = typeOf(info.dtype)
    return { ...info, dtype, byteLength: elementCount(info.shape) * dtypeBytes(dtype) }
  }
  const isChanged = (name: string): boolean => infoOf(name)?.dtype !== source.info(name)?.dtype
  return {
    name: source.name,
    names: () => names,
    info: infoOf,
    async read(name) {
      const info = infoOf(name)
      if (info === undefined) throw missingTensor(source.name, name)
      return isChanged(name) ? narrow(await readFloat32(source, name), info.dtype) : source.read(name)
    },
    locate: (name) => (kept.has(name) && !isChanged(name) ? source.locate(name) : undefined),
    identity: async () => fingerprint({ of: await source.identity(), tensors: names.map(infoOf) }),
    close: () => Promise.resolve(),
  }
}

const floats: ReadonlySet<Dtype> = new Set(['F64', 'F32', 'F16', 'BF16', 'F8_E4M3', 'F8_E5M2'])

/** The rule for `storedAs`: every number with a fraction in the type asked for. */
export function floatsAs(wanted: Dtype | undefined): (dtype: Dtype) => Dtype {
  return (dtype) => (wanted !== undefined && floats.has(dtype) ? wanted : dtype)
}
