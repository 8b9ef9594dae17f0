/** Types as configurations name them. */
import { fault, suggestion } from '#core'

export type MergeDtype = 'F32' | 'F16' | 'BF16' | 'I64'

const dtypeNames: Readonly<Record<string, MergeDtype>> = {
  float32: 'F32',
  float16: 'F16',
  bfloat16: 'BF16',
  int64: 'I64',
}

/** `bfloat16`, `torch.bfloat16`; throws `usage.value` with the nearest name. */
export function dtypeNamed(name: string | undefined, place: string): MergeDtype | undefined {
  if (name === undefined) return undefined
  const plain = name.replace(/^torch\./, '')
  const dtype = Object.hasOwn(dtypeNames, plain) ? dtypeNames[plain] : undefined
  if (dtype !== undefined) return dtype
  throw fault('usage.value', {
    place,
    what: 'no such dtype',
    seen: name,
    hint: suggestion(plain, Object.keys(dtypeNames)),
  })
}
