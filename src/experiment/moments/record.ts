/** What a file of moments was computed from, next to it: a file is taken again when both are as they were. */
import { readFile } from 'node:fs/promises'
import { fileHash, writeWhole } from '#platform/disk'

function recordPath(path: string): string {
  return `${path}.json`
}

/** Whether the file has this key, and is the one that was written. */
export async function isRecorded(path: string, key: string): Promise<boolean> {
  const record = await readFile(recordPath(path), 'utf8')
    .then((text) => JSON.parse(text) as { readonly key?: unknown; readonly sha256?: unknown })
    .catch(() => undefined)
  if (record?.key !== key) return false
  return (await fileHash(path).catch(() => undefined)) === record.sha256
}

/** Throws `file.write`. */
export async function writeRecord(path: string, about: Readonly<Record<string, unknown>>): Promise<void> {
  const record = { ...about, sha256: await fileHash(path) }
  await writeWhole(recordPath(path), `${JSON.stringify(record, undefined, 2)}\n`)
}
