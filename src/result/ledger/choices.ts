/**
 * What validation chose among combinations of layers, task by task: their weights, and with them their names, differ
 * from task to task, so that only this record says which results belong to one way of combining.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '#files/formats'
import { makeFolder, pathName, writeWhole } from '#platform/disk'
import { type ResultPlace, revisionFolder } from './paths.ts'

/** One way to find a combination; a null field does not apply to the method. */
export interface Recipe {
  readonly method: string
  readonly lambda: number | null
  readonly similarity: string | null
}

/** A choice on one task: among the settings of one method, among all mixes, or among the single layers. */
export interface Choice {
  readonly task: string
  readonly kind: 'method' | 'mix' | 'layer'
  /** Method of the chosen representation. */
  readonly method: string
  /** The rows used for the choice; null: other tasks'. */
  readonly validation: string | null
  /** As results name it, with its settings; null where nothing could be chosen by. */
  readonly chosen: string | null
  /** Everything that this method tried; none for the other kinds. */
  readonly candidates: readonly (Recipe & { readonly representation: string; readonly score: number | null })[]
}

type ModelPlace = Omit<ResultPlace, 'representation'>

/** `weighted λ=0.5 cka`. */
export function recipeName({ method, lambda, similarity }: Recipe): string {
  return [method, ...(lambda === null ? [] : [`λ=${lambda}`]), ...(similarity === null ? [] : [similarity])].join(' ')
}

/** The settings that the name of a representation ends with: `+cls` for `h3+cls`. */
export function settingsSuffix(representation: string): string {
  return /\+.*$/.exec(representation)?.[0] ?? ''
}

/** The name without the settings: `h3` for `h3+cls`. */
export function withoutSettings(representation: string): string {
  return representation.slice(0, representation.length - settingsSuffix(representation).length)
}

/** One file per choice, so that several processes can record theirs; a later choice replaces an earlier one. */
export async function writeChoice(place: ModelPlace, choice: Choice): Promise<void> {
  const folder = join(choicesFolder(place), pathName(choice.task))
  await makeFolder(folder)
  const name = choice.kind === 'method' ? `method-${choice.method}` : choice.kind
  const settings = settingsSuffix(choice.chosen ?? choice.candidates[0]?.representation ?? '')
  await writeWhole(join(folder, `${pathName(`${name}${settings}`)}.json`), `${JSON.stringify(choice, undefined, 2)}\n`)
}

/** In the order of tasks and names; files that are no choices are passed over. */
export async function readChoices(place: ModelPlace): Promise<Choice[]> {
  const root = choicesFolder(place)
  const found: Choice[] = []
  for (const task of (await readdir(root).catch((): string[] => [])).toSorted())
    for (const file of (await readdir(join(root, task)).catch((): string[] => [])).toSorted()) {
      const choice = await readFile(join(root, task, file), 'utf8').then(parsed, () => undefined)
      if (choice !== undefined) found.push(choice)
    }
  return found
}

function choicesFolder(place: ModelPlace): string {
  return join(revisionFolder(place), 'representations', 'choices')
}

function parsed(text: string): Choice | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isChoice(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isChoice(value: unknown): value is Choice {
  if (!isObject(value)) return false
  const { task, kind, method, chosen, candidates } = value
  return (
    [task, method, chosen ?? ''].every((text) => typeof text === 'string') &&
    (kind === 'method' || kind === 'mix' || kind === 'layer') &&
    Array.isArray(candidates) &&
    candidates.every(
      (one) => readRecipe(one) !== undefined && isObject(one) && typeof one['representation'] === 'string',
    )
  )
}

/** The recipe that a result says its combination was found by; undefined where it says none. */
export function readRecipe(value: unknown): Recipe | undefined {
  if (!isObject(value)) return undefined
  const { method, lambda = null, similarity = null } = value
  if (typeof method !== 'string') return undefined
  if (lambda !== null && typeof lambda !== 'number') return undefined
  return similarity === null || typeof similarity === 'string' ? { method, lambda, similarity } : undefined
}
