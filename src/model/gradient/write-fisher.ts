/** A diagonal as a file. */
import type { TensorSource } from '#core'
import { missingTensor, writeSafetensors } from '#files/formats'

/**
 * Writes a diagonal as float32 safetensors with the names and shapes of the model's tensors: the file that a recipe's
 * `fisher` parameter names. Throws `tensor.missing` for a name that `tensors` lacks, `tensor.shape`, `file.write`.
 *
 * @example
 * ```ts
 * import { openTensors } from 'strata-lm/formats'
 * import { writeFisher } from 'strata-lm/merge'
 *
 * const tensors = await openTensors('assets/golden/bert/model.safetensors')
 * const diagonal = new Map([['pooler.dense.bias', new Float32Array(48).fill(0.5)]])
 * await writeFisher('fisher.safetensors', diagonal, tensors)
 * const written = await openTensors('fisher.safetensors')
 * console.log(written.info('pooler.dense.bias')?.shape) // → [ 48 ]
 * ```
 */
export async function writeFisher(
  path: string,
  diagonal: ReadonlyMap<string, Float32Array>,
  tensors: Pick<TensorSource, 'name' | 'info'>,
): Promise<void> {
  const written = [...diagonal].map(([name, values]) => {
    const info = tensors.info(name)
    if (info === undefined) throw missingTensor(tensors.name, name)
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    return { name, dtype: 'F32', shape: info.shape, bytes } as const
  })
  await writeSafetensors(path, written)
}
