/** A folder without tensors, whose weights are in an ONNX graph. */
import { join } from 'node:path'
import { fault, fingerprint, type RepoFiles, type TensorSource } from '#core'
import type { ModelParts } from '#model/checkpoint'
import { fileHash } from '#platform/disk'

const [graphFile, dataFile] = ['onnx/model.onnx', 'onnx/model.onnx_data'] as const

/** The graph, and its bytes as a source that knows its identity alone; undefined where the folder has none. */
export async function onnxFiles(
  files: RepoFiles,
): Promise<(Pick<ModelParts, 'tensors'> & Required<Pick<ModelParts, 'graph'>>) | undefined> {
  if (!(await files.has(graphFile))) return undefined
  const path = await files.local(graphFile)
  const data = (await files.has(dataFile))
    ? { location: 'model.onnx_data', path: await files.local(dataFile) }
    : undefined
  const place = join(files.name, graphFile)
  const tensors: TensorSource = {
    name: place,
    names: () => [],
    info: () => undefined,
    read: () =>
      Promise.reject(fault('tensor.missing', { place, what: 'the tensors of a graph are not read one by one' })),
    locate: () => undefined,
    identity: async () =>
      fingerprint({ graph: await fileHash(path), data: data === undefined ? null : await fileHash(data.path) }),
    close: () => Promise.resolve(),
  }
  return { tensors, graph: { path, data } }
}
