/**
 * A folder as BEIR lays it out: corpus.jsonl, queries.jsonl, qrels/<split>.tsv with a header. Any of them may be
 * packed, or another table.
 */
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { compareCodePoints, fault } from '#core'
import { splitName } from '#files/tables'
import { type DatasetFiles, rowFiles, localFiles, ownConfig, ownLayout } from '#task/rows'

export interface BeirFolder {
  readonly files: DatasetFiles & { readonly revision: string }
  readonly splits: readonly string[]
}

/** Undefined for a folder that has none of it. Throws `task.split` when only a part is there. */
export async function beirFolder(
  folder: string,
  names: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(),
): Promise<BeirFolder | undefined> {
  const own = rowFiles(await readdir(folder))
  const qrels = rowFiles(await readdir(join(folder, 'qrels')).catch(() => []))
  const table = (name: string): string | undefined => own.find((file) => stem(file) === name)
  const [corpus, queries] = [table('corpus'), table('queries')]
  if (corpus === undefined && queries === undefined && qrels.length === 0) return undefined
  if (corpus === undefined || queries === undefined || qrels.length === 0) {
    throw fault('task.split', {
      place: folder,
      what: 'the BEIR folder is incomplete',
      seen: [...own, ...qrels.map((file) => `qrels/${file}`)],
      wanted: 'corpus.jsonl, queries.jsonl, qrels/<split>.tsv',
    })
  }
  const judged = new Map<string, string[]>()
  for (const file of qrels) judged.set(stem(file), [...(judged.get(stem(file)) ?? []), `qrels/${file}`])
  const layout = ownLayout([
    ownConfig('default', judged, names.get('qrels')),
    ownConfig('corpus', new Map([['corpus', [corpus]]]), names.get('corpus')),
    ownConfig('queries', new Map([['queries', [queries]]]), names.get('queries')),
  ])
  return {
    files: await localFiles(folder, layout, { locate: (path) => join(folder, path) }),
    splits: [...judged.keys()].sort(compareCodePoints),
  }
}

/** What tasks over a folder are called. */
export function folderName(folder: string): string {
  return basename(resolve(folder))
}

/** `test.tsv.gz` → `test`. */
function stem(file: string): string {
  const { extension, packing } = splitName(file)
  return (packing === 'none' ? file : file.slice(0, file.lastIndexOf('.'))).slice(0, -extension.length - 1)
}
