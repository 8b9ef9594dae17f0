/**
 * An output folder from its finished weights to its manifest: every file next to them is written with its size and hash
 * recorded.
 */
import { sha256 } from '#core'
import { jsonLike } from '#files/formats'
import type { OutputFolder } from '#platform/disk'
import type { WrittenTensors } from '#model/merge'

export interface RecordedFile {
  readonly name: string
  readonly bytes: number
  readonly sha256: string | null
}

export interface RecordedFolder {
  /** Throws `file.write`. */
  write(path: string, content: string | Uint8Array): Promise<void>
  /** Whole numbers are written as floats where the text `original` has them so. */
  writeJson(path: string, value: unknown, original: string): Promise<void>
  /** Files of the folder so far, weights first. */
  readonly files: readonly RecordedFile[]
  /** Written last; it does not list itself. */
  writeManifest(value: unknown): Promise<void>
}

export const manifestFile = 'strata_merge.json'

/** Removes files that an earlier run left next to the weights; the weights' index is written where they have one. */
export async function recordedFolder(
  folder: OutputFolder,
  { layout, outputHashes }: WrittenTensors,
): Promise<RecordedFolder> {
  await folder.keepOnly(layout.shards.map(({ file }) => file))
  const files: RecordedFile[] = layout.shards.map(({ file, byteLength }) => ({
    name: file,
    bytes: byteLength,
    sha256: outputHashes.get(file) ?? null,
  }))
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await folder.write(path, content)
    files.push({ name: path, bytes: Buffer.byteLength(content), sha256: sha256(content) })
  }
  if (layout.index !== undefined) await write('model.safetensors.index.json', layout.index)
  return {
    write,
    writeJson: (path, value, original) => write(path, jsonLike(value, original, path)),
    files,
    writeManifest: (value) => folder.write(manifestFile, `${JSON.stringify(value, undefined, 1)}\n`),
  }
}
