/** The folder of an exported model: weights, config, tokenizer, card, whole or not at all. */
import { join } from 'node:path'
import { type ModelHeaders, type OnProgress, type TensorSource } from '#core'
import { writeSafetensors } from '#files/formats'
import { writeSource } from '#model/merge'
import { makeFolder, openOutputFolder, type OutputFolder } from '#platform/disk'
import { writeOnnx } from './onnx-file.ts'
import type { ExportedGraph } from './onnx-graph.ts'
import { type LibraryModule, moduleFolder } from './sentence-transformers.ts'

/** The weights that go into a folder along with the small files. */
export type Weights =
  | {
      readonly kind: 'checkpoint'
      readonly checkpoint: ModelHeaders
      readonly original: ModelHeaders
      readonly modules: readonly LibraryModule[]
    }
  | {
      readonly kind: 'graph'
      readonly graph: ExportedGraph
      readonly tensors: TensorSource
      readonly limit?: number | undefined
    }

export interface FolderOptions {
  overwrite?: boolean | undefined
  threads?: number | undefined
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/**
 * Paths of the files written. Throws `usage.conflict` for a folder that is not empty, and what writing throws; nothing
 * bears the folder's name before everything is written.
 */
export async function writeFolder(
  target: string,
  weights: Weights,
  small: ReadonlyMap<string, string | Uint8Array>,
  { overwrite = false, ...options }: FolderOptions,
): Promise<string[]> {
  const folder = await openOutputFolder(target, { overwrite })
  try {
    const large = await writeWeights(folder, weights, options)
    for (const [path, content] of small) await folder.write(path, content)
    await folder.publish()
    return [...large, ...small.keys()]
  } catch (error) {
    await folder.release()
    throw error
  }
}

async function writeWeights(
  folder: OutputFolder,
  weights: Weights,
  { threads, onProgress, signal }: FolderOptions,
): Promise<string[]> {
  switch (weights.kind) {
    case 'graph': {
      await folder.keepOnly([])
      const files = await writeOnnx(join(folder.staging, 'onnx'), weights.graph.message, weights.tensors, {
        limit: weights.limit,
        onProgress,
        signal,
      })
      return files.map((file) => `onnx/${file}`)
    }
    case 'checkpoint': {
      const { checkpoint, original, modules } = weights
      const { layout } = await writeSource(checkpoint, [original], folder.staging, {
        threads,
        hashInputs: false,
        onProgress,
        signal,
      })
      const shards = layout.shards.map(({ file }) => file)
      await folder.keepOnly(shards)
      const files = [...shards]
      if (layout.index !== undefined) {
        await folder.write('model.safetensors.index.json', layout.index)
        files.push('model.safetensors.index.json')
      }
      for (const [index, { name, tensors }] of modules.entries()) {
        if (tensors.length === 0) continue
        const path = moduleFolder(name, index)
        await makeFolder(join(folder.staging, path))
        await writeSafetensors(join(folder.staging, path, 'model.safetensors'), tensors, { format: 'pt' })
        files.push(`${path}/model.safetensors`)
      }
      return files
    }
    default:
      return weights satisfies never
  }
}
