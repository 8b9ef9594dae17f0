/** Where results lie: mteb 2.x's folders, and a file name for every name there is. */
import { join } from 'node:path'
import { pathName } from '#platform/disk'

/** What a folder of results belongs to. */
export interface ResultPlace {
  /** The output folder, `results` by default. */
  readonly root: string
  readonly model: string
  readonly revision: string
  /** `default` lies in the revision's folder itself, every other one in `experiments`. */
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
 * `<root>/<org>__<model>/<revision>`, with `/experiments/<representation>` for all but `default`. Never outside `root`,
 * whatever the names hold.
 */
export function resultFolder({ root, model, revision, representation }: ResultPlace): string {
  const folder = revisionFolder({ root, model, revision })
  return representation === defaultRepresentation ? folder : join(folder, experimentsFolder, pathName(representation))
}

export function revisionFolder({ root, model, revision }: Omit<ResultPlace, 'representation'>): string {
  return join(root, pathName(model), pathName(revision))
}

/** `<Task>.json`: there is one for finished results only. */
export function resultPath(place: ResultPlace, task: string): string {
  return join(resultFolder(place), `${taskName(task)}.json`)
}

/** `failed/<Task>.json`, where mteb's loader does not look. */
export function failurePath(place: ResultPlace, task: string): string {
  return join(resultFolder(place), failedFolder, `${taskName(task)}.json`)
}

/** `outdated/<Task>.json`: a result that is no longer trusted, moved aside when another takes its place. */
export function outdatedPath(place: ResultPlace, task: string): string {
  return join(resultFolder(place), outdatedFolder, `${taskName(task)}.json`)
}

/** `items/<Task>.parquet`: scores of single items. */
export function itemsPath(place: ResultPlace, task: string): string {
  return join(resultFolder(place), itemsFolder, `${taskName(task)}.parquet`)
}

/** `partial/<Task>/<name>`: what an unfinished task has done so far. */
export function partialPath(place: ResultPlace, task: string, name: string): string {
  return join(resultFolder(place), partialFolder, taskName(task), pathName(name))
}

function taskName(task: string): string {
  const name = pathName(task)
  return `${name}.json`.toLowerCase() === metaFile
    ? `%${name.charCodeAt(0).toString(16).toUpperCase()}${name.slice(1)}`
    : name
}
