/**
 * Inputs of the last job that wrote to a place: results of a kind have separate names, but tables and documents in
 * another program's format hold whatever was written last.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, parseJson } from '#files/formats'
import { makeFolder, pathName, writeWhole } from '#platform/disk'

export interface Made {
  /** Hash of all inputs. */
  readonly of: string
}

const madeFolder = 'made'

/** Undefined where nothing is recorded. Throws `format.json` for any other file. */
export async function readMade<Kind extends Made>(folder: string, place: string): Promise<Kind | undefined> {
  const path = madePath(folder, place)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const value = text === undefined ? undefined : parseJson(text, path)
  return isObject(value) && typeof value['of'] === 'string' ? (value as unknown as Kind) : undefined
}

/** Throws `file.write`. */
export async function writeMade(folder: string, place: string, made: Made): Promise<void> {
  await makeFolder(join(folder, madeFolder))
  await writeWhole(madePath(folder, place), `${JSON.stringify(made)}\n`)
}

function madePath(folder: string, place: string): string {
  return join(folder, madeFolder, `${pathName(place)}.json`)
}
