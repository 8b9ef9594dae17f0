/**
 * Files on this machine as a data set: their layout is what the task file says, whatever folders they lie in; their
 * revision is a hash of their bytes.
 */
import { readFile } from 'node:fs/promises'
import { asFault, fault, fingerprint } from '#core'
import { fileHash } from '#platform/disk'
import type { DatasetConfig, DatasetLayout } from './dataset-layout.ts'
import type { DatasetFiles } from './opened-dataset.ts'

/**
 * @param name for messages: the task file, or the folder
 * @param locate path as it stands in the layout → path on this machine
 * @param missing a fault's place for a path that is not there
 */
export async function localFiles(
  name: string,
  layout: DatasetLayout,
  { locate, missing }: { locate: (path: string) => string; missing?: (path: string) => string },
): Promise<DatasetFiles & { readonly revision: string }> {
  const paths = new Set<string>()
  const parts: unknown[] = []
  for (const { name: config, splits } of layout.configs.values())
    for (const [split, files] of splits)
      for (const path of files) {
        paths.add(path)
        parts.push([config, split, await hashOf(path)])
      }
  return {
    name,
    layout,
    revision: fingerprint(parts),
    list: () => Promise.resolve([...paths]),
    has: (path) => Promise.resolve(paths.has(path)),
    local: (path) => Promise.resolve(locate(path)),
    bytes: async (path) => readFile(locate(path)),
    text: async (path) => readFile(locate(path), 'utf8'),
  }

  async function hashOf(path: string): Promise<string> {
    try {
      return await fileHash(locate(path))
    } catch (error) {
      const { code, parts } = asFault(error, 'file.unreadable', path)
      throw fault(code, { ...parts, place: missing?.(path) ?? name, seen: path, cause: error })
    }
  }
}

/** Configs with users' names of columns; rows remember their lines. */
export function ownConfig(
  name: string,
  splits: ReadonlyMap<string, readonly string[]>,
  names: ReadonlyMap<string, string> = new Map(),
): DatasetConfig {
  return { name, splits, classLabels: new Map(), names, traced: true }
}

export function ownLayout(configs: readonly DatasetConfig[]): DatasetLayout {
  const byName = new Map(configs.map((config) => [config.name, config]))
  return { configs: byName, standard: byName.get('default') }
}
