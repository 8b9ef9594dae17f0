/** Reads the JSON document of a replay. */
import { readFile } from 'node:fs/promises'
import { fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import type { Replay } from './replay.ts'

/**
 * Reads the document of a replay, as `strata search --replay … --json` prints it; undefined for any other JSON. Throws
 * `file.missing`, `format.json`.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { readReplay } from 'strata-lm/search'
 *
 * const document = {
 *   model: 'org/name',
 *   arms: 1,
 *   tasks: 1,
 *   best: { arm: 'main h3', reward: 0.8 },
 *   narrow: [],
 *   replays: [],
 * }
 * await writeFile('replay.json', JSON.stringify(document))
 * console.log((await readReplay('replay.json'))?.best.arm) // → main h3
 * ```
 */
export async function readReplay(path: string): Promise<(Replay & { readonly model: string }) | undefined> {
  const value = parseJson(
    await readFile(path, 'utf8').catch((cause: unknown) => {
      throw fault('file.missing', { place: path, what: 'the replay cannot be read', cause })
    }),
    path,
  )
  const known =
    isObject(value) && typeof value['model'] === 'string' && Array.isArray(value['replays']) && isObject(value['best'])
  return known ? (value as unknown as Replay & { readonly model: string }) : undefined
}
