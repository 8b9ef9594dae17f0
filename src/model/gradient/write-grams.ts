/** Gram matrices as a file. */
import type { Matrix64 } from '#core'
import { writeSafetensors } from '#files/formats'

/**
 * Writes Gram matrices as float32 safetensors, each as the name of its weight and `.gram`: the file that a recipe's
 * `gram` parameter names. Throws `file.write`.
 */
export async function writeGrams(path: string, grams: ReadonlyMap<string, Matrix64>): Promise<void> {
  const written = [...grams].map(([name, { rows, width, data }]) => {
    const values = Float32Array.from(data)
    return { name: `${name}.gram`, dtype: 'F32', shape: [rows, width], bytes: new Uint8Array(values.buffer) } as const
  })
  await writeSafetensors(path, written)
}
