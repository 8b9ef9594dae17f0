/** The files an input's tensors lie in, and what tells that they have changed without reading them. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fingerprint, type TensorSource } from '../core/index.ts'

export interface InputFile {
  readonly name: string
  readonly bytes: number
  /** ISO 8601. */
  readonly modified: string
}

/** Undefined when some tensor lies in no file (an adapter, a merge). */
async function filesOf(source: TensorSource): Promise<{ path: string; bytes: bigint; time: bigint; inode: bigint }[] | undefined> {
  const paths = new Set<string>()
  for (const name of source.names()) {
    const place = source.locate(name)
    if (place === undefined) return undefined
    paths.add(place.path)
  }
  return Promise.all(
    [...paths].sort().map(async (path) => {
      const { size, mtimeNs, ino } = await stat(path, { bigint: true })
      return { path, bytes: size, time: mtimeNs, inode: ino }
    }),
  )
}

/** For a manifest. */
export async function inputFiles(source: TensorSource): Promise<InputFile[]> {
  const files = (await filesOf(source)) ?? []
  return files.map(({ path, bytes, time }) => ({ name: basename(path), bytes: Number(bytes), modified: new Date(Number(time / 1000000n)).toISOString() }))
}

/** Changes whenever a file is written or replaced. Costs no read, unlike the source's own identity, which stands in where tensors lie in no file. */
export async function inputStamp(source: TensorSource): Promise<string> {
  const files = await filesOf(source)
  return files === undefined ? source.identity() : fingerprint(files.map(({ path, bytes, time, inode }) => [path, String(bytes), String(time), String(inode)]))
}
