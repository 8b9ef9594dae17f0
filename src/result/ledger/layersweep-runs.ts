/**
 * Results of mteb-layersweep: `runs/<id>/outputs/mteb/<family>/<size>/<revision>/layer_XXX/<task>/`, a result of mteb
 * next to `done.json` or `failed.json`.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Fault, fault } from '#core'
import { isObject, parsePythonJson } from '#files/formats'
import type { ParseOptions } from './parse-result.ts'
import { type Found, readResult } from './find-results.ts'

export type RunResult = Found & {
  readonly model: string
  readonly revision: string
  readonly representation: string
  readonly task: string
}

const [doneName, failedName] = ['done.json', 'failed.json'] as const

/**
 * Its layers count blocks, so layer 0 is hidden state 1. Empty for a folder without such a tree; a task with neither a
 * result nor a failure was never finished.
 */
export async function layersweepRuns(folder: string, options: ParseOptions): Promise<RunResult[]> {
  const found: RunResult[] = []
  const root = join(folder, 'outputs', 'mteb')
  for (const [family, size, revision, layer, name] of await foldersBelow(root, 5)) {
    const [, block] = /^layer_(\d+)$/.exec(layer ?? '') ?? []
    if (
      family === undefined ||
      size === undefined ||
      revision === undefined ||
      name === undefined ||
      block === undefined
    )
      continue
    const path = join(root, family, size, revision, layer ?? '', name)
    const { model_id: id, task = name } = await markerIn(path)
    const place = {
      model: id ?? `${family.toLowerCase()}-${size}`,
      revision,
      representation: `h${Number(block) + 1}`,
      task,
    }
    for (const file of await resultsIn(path)) {
      const one = await readResult(file, options)
      if (one !== undefined) found.push({ ...one, ...place, task: one.result?.task_name ?? task })
    }
    const failure = await failureIn(path, task)
    if (failure !== undefined) found.push({ path: join(path, failedName), fault: failure, ...place })
  }
  return found
}

/** Names of the folders at a depth, parents first. */
async function foldersBelow(folder: string, depth: number): Promise<string[][]> {
  if (depth === 0) return [[]]
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const below = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map(async (name) => (await foldersBelow(join(folder, name), depth - 1)).map((rest) => [name, ...rest]))
  return (await Promise.all(below)).flat()
}

async function resultsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => name.endsWith('.json') && name !== doneName && name !== failedName)
    .map((name) => join(folder, name))
}

async function markerIn(folder: string): Promise<{ model_id?: string; task?: string }> {
  const path = join(folder, doneName)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const value = text === undefined ? undefined : parsePythonJson(text, path)
  if (!isObject(value)) return {}
  const { model_id: id, task } = value
  return { ...(typeof id === 'string' ? { model_id: id } : {}), ...(typeof task === 'string' ? { task } : {}) }
}

async function failureIn(folder: string, task: string): Promise<Fault | undefined> {
  const path = join(folder, failedName)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const value = parsePythonJson(text, path)
  return fault('result.invalid', {
    place: task,
    what: 'it failed there',
    seen: isObject(value) ? (value['error'] ?? value['status']) : text.slice(0, 200),
  })
}
