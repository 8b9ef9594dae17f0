/** A folder that an earlier merge finished: what its manifest says, and whether it is the merge that is asked for. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenedMerge, sourcesOf } from '#experiment/open'
import { isObject, inputStamp, parseJson } from '#files/formats'
import { mergeIdentity } from '#model/merge'
import { manifestFile } from './recorded-folder.ts'

export interface MergeManifest {
  /** Hash of the plan and of the input files, by their times and sizes. */
  readonly identity: unknown
  /** Input files, with their SHA-256 where it was counted. */
  readonly inputs: unknown
  /** Files of the folder, with their SHA-256. */
  readonly files: unknown
}

/** Undefined where the folder has no manifest. Throws `format.json`. */
export async function readManifest(folder: string): Promise<MergeManifest | undefined> {
  const path = join(folder, manifestFile)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const found = text === undefined ? undefined : parseJson(text, path)
  return isObject(found) ? { identity: found['identity'], inputs: found['inputs'], files: found['files'] } : undefined
}

/** Whether `folder` is the finished merge, of the same plan and unchanged inputs. */
export async function isFinishedMerge(opened: OpenedMerge, folder: string): Promise<boolean> {
  const manifest = await readManifest(folder)
  return (
    manifest !== undefined && manifest.identity === (await mergeIdentity(opened.plan, sourcesOf(opened), inputStamp))
  )
}
