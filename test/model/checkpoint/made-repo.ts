/** A repository written for one test: JSON by value, tensors as safetensors. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { elementCount, type Dtype, type RepoFiles } from '#core'
import { narrow, writeSafetensors } from '#files/formats'
import { folderFiles } from '../../files/formats/folder-files.ts'

export interface TestTensor {
  readonly shape: readonly number[]
  readonly values: ArrayLike<number>
  readonly dtype?: Dtype
}

/**
 * Values that are strings are written as they are, others as JSON; keys that end in `.safetensors` hold tensors by
 * name.
 */
export async function writeRepo(folder: string, contents: Readonly<Record<string, unknown>>): Promise<RepoFiles> {
  for (const [path, content] of Object.entries(contents)) {
    const full = join(folder, path)
    await mkdir(dirname(full), { recursive: true })
    if (path.endsWith('.safetensors')) {
      const tensors = Object.entries(content as Record<string, TestTensor>)
      await writeSafetensors(
        full,
        tensors.map(([name, { shape, values, dtype = 'F32' }]) => ({
          name,
          shape,
          dtype,
          bytes: narrow(Float32Array.from(values), dtype),
        })),
      )
    } else await writeFile(full, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folderFiles(folder)
}

/** A tensor of small numbers that are the same in every run and no two of which are equal. */
export function counting(...shape: number[]): TestTensor {
  return {
    shape,
    values: Float32Array.from({ length: elementCount(shape) }, (_, i) => ((i * 37) % 101) / 50 - 1 + i / 1024),
  }
}
