/** Paths of results: mteb 2.x's folders, and a valid file name for every task and model name. */
import { join } from 'node:path'
import { pathName } from '#platform/disk'

/** The model, revision and representation that a folder of results belongs to. */
export interface ResultPlace {
  /** The output folder, `results` by default. */
  readonly root: string
  readonly model: string
  readonly revision: string
  /** `default` lies in the revision's own folder, the others in `experiments`. */
  readonly representation: string
}

export const defaultRepresentation = 'default'
export const experimentsFolder = 'experiments'
export const failedFolder = 'failed'
export const itemsFolder = 'items'
export const partialFolder = 'partial'
export const outdatedFolder = 'outdated'
export const metaFile = 'model_meta.json'

/**
 * The folder of a model, revision and representation: `<root>/<org>__<model>/<revision>`, with
 * `/experiments/<representation>` for all but `default`. Never outside `root`, whatever the names hold.
 *
 * @example
 * ```ts
 * import { resultFolder } from 'strata-lm/ledger'
 *
 * console.log(resultFolder({ root: 'results', model: 'org/name', revision: 'main', representation: 'h3' }))
 * // → results/org__name/main/experiments/h3
 * ```
 */
export function resultFolder({ root, model, revision, representation }: ResultPlace): string {
  const folder = revisionFolder({ root, model, revision })
  return representation === defaultRepresentation ? folder : join(folder, experimentsFolder, pathName(representation))
}

export function revisionFolder({ root, model, revision }: Omit<ResultPlace, 'representation'>): string {
  return join(root, pathName(model), pathName(revision))
}

/**
 * The file of a finished result: `<Task>.json` in the folder of its place.
 *
 * @example
 * ```ts
 * import { resultPath } from 'strata-lm/ledger'
 *
 * const place = { root: 'results', model: 'org/name', revision: 'main', representation: 'default' }
 * console.log(resultPath(place, 'STS17')) // → results/org__name/main/STS17.json
 * ```
 */
export function resultPath(place: ResultPlace, task: string): string {
  return join(resultFolder(place), `${taskName(task)}.json`)
}

/** `failed/<Task>.json`, where mteb's loader does not look. */
export function failurePath(place: ResultPlace, task: string): string {
  return join(resultFolder(place), failedFolder, `${taskName(task)}.json`)
}

/** `outdated/<Task>.json`: an outdated result, moved aside when another takes its place. */
export function outdatedPath(place: ResultPlace, task: string): string {
  return join(resultFolder(place), outdatedFolder, `${taskName(task)}.json`)
}

/**
 * The file with the scores of a result's single items: `items/<Task>.parquet` in the folder of its place.
 *
 * @example
 * ```ts
 * import { itemsPath } from 'strata-lm/ledger'
 *
 * const place = { root: 'results', model: 'org/name', revision: 'main', representation: 'default' }
 * console.log(itemsPath(place, 'STS17')) // → results/org__name/main/items/STS17.parquet
 * ```
 */
export function itemsPath(place: ResultPlace, task: string): string {
  return join(resultFolder(place), itemsFolder, `${taskName(task)}.parquet`)
}

/** `partial/<Task>/<name>`: the intermediate work of an unfinished task. */
export function partialPath(place: ResultPlace, task: string, name: string): string {
  return join(resultFolder(place), partialFolder, taskName(task), pathName(name))
}

function taskName(task: string): string {
  const name = pathName(task)
  return `${name}.json`.toLowerCase() === metaFile
    ? `%${name.charCodeAt(0).toString(16).toUpperCase()}${name.slice(1)}`
    : name
}
