/** What a replay printed as JSON, read again. */
import { readFile } from 'node:fs/promises'
import { isObject, parseJson } from '#files/formats'
import type { Replay } from './replay.ts'

/** Undefined for a document that is none. Throws `file.missing`, `format.json`. */
export async function readReplay(path: string): Promise<(Replay & { readonly model: string }) | undefined> {
  const value = parseJson(await readFile(path, 'utf8'), path)
  const known =
    isObject(value) && typeof value['model'] === 'string' && Array.isArray(value['replays']) && isObject(value['best'])
  return known ? (value as unknown as Replay & { readonly model: string }) : undefined
}
