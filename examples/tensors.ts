// Look into a checkpoint without loading it: names, shapes, one tensor as numbers. The header is read, then only the
// bytes asked for.
import { openTensors, readFloat32 } from 'strata-lm'

const file = process.env['TENSORS'] ?? 'assets/golden/bert/model.safetensors'
const tensors = await openTensors(file)
export const names: readonly string[] = tensors.names()
const largest =
  names.toSorted((a, b) => (tensors.info(b)?.byteLength ?? 0) - (tensors.info(a)?.byteLength ?? 0))[0] ?? ''
const values = await readFloat32(tensors, largest)
await tensors.close()

export const mean: number = values.reduce((sum, value) => sum + value, 0) / values.length
console.log(`${names.length} tensors; the largest is ${largest}, ${values.length} numbers with mean ${mean.toFixed(5)}`)
