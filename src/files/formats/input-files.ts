/** The files that hold an input's tensors, and a way to see that they have changed without reading them. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fingerprint, type TensorSource } from '#core'

export interface InputFile {
  readonly name: string
  readonly bytes: number
  /** ISO 8601. */
  readonly modified: string
  /** Hex SHA-256 of the whole file; null when nobody has counted it. */
  readonly sha256: string | null
}

/** Undefined when some tensor lies in no file (an adapter, a merge). */
export function inputPaths(source: TensorSource): string[] | undefined {
  const paths = new Set<string>()
  for (const name of source.names()) {
    const place = source.locate(name)
    if (place === undefined) return undefined
    paths.add(place.path)
  }
  return [...paths].sort()
}

/** For a manifest. `hashes`: SHA-256 by path, as far as they were counted. */
export async function inputFiles(
  source: TensorSource,
  hashes: ReadonlyMap<string, string> = new Map(),
): Promise<InputFile[]> {
  return Promise.all(
    (inputPaths(source) ?? []).map(async (path) => {
      const { size, mtime } = await stat(path)
      return { name: basename(path), bytes: size, modified: mtime.toISOString(), sha256: hashes.get(path) ?? null }
    }),
  )
}

/**
 * Changes whenever a file is written or replaced. Costs no read, unlike the source's own identity, which stands in
 * where tensors lie in no file.
 */
export async function inputStamp(source: TensorSource): Promise<string> {
  const paths = inputPaths(source)
  if (paths === undefined) return source.identity()
  const facts = paths.map(async (path) => {
    const { size, mtimeNs, ino } = await stat(path, { bigint: true })
    return [path, String(size), String(mtimeNs), String(ino)]
  })
  return fingerprint(await Promise.all(facts))
}
