/** Whose a matrix of layers is: the model and the pooling, as its file or folder says. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import { readTextFile } from './read-text-file.ts'

/** A model by the last part of its name; a pooling. */
export interface MatrixOrigin {
  readonly model: string
  readonly pooling: string | undefined
}

/** In a folder of folders, the one of this model and pooling; undefined for any other folder. Throws `usage.value`. */
export async function inGrid(folder: string, whose: MatrixOrigin): Promise<string | undefined> {
  if (!(await stat(folder)).isDirectory()) return undefined
  const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const stages: { path: string; origin: MatrixOrigin }[] = []
  for (const { name } of entries) {
    const origin = await originIn(join(folder, name))
    if (origin !== undefined) stages.push({ path: join(folder, name), origin })
  }
  if (stages.length === 0) return undefined
  const own = stages.filter(({ origin }) => isSame(origin, whose))
  const [first] = own
  if (first !== undefined && own.length === 1) return first.path
  throw fault('usage.value', {
    place: folder,
    what: own.length === 0 ? 'no folder of this model and pooling' : 'several folders are of this model and pooling',
    seen: `${whose.model} ${whose.pooling ?? ''}`.trim(),
    wanted: (own.length === 0 ? stages : own).map(({ path }) => path).join(', '),
  })
}

/** What `metadata.json` of the folder says, or the document itself. */
export async function readOrigin(file: string): Promise<MatrixOrigin | undefined> {
  if (extname(file).toLowerCase() === '.json') return originFrom(parseJson(await readTextFile(file), file))
  const folder = dirname(file)
  return (await originIn(folder)) ?? (basename(folder) === 'similarities' ? originIn(dirname(folder)) : undefined)
}

async function originIn(folder: string): Promise<MatrixOrigin | undefined> {
  const path = join(folder, 'metadata.json')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  try {
    return text === undefined ? undefined : originFrom(parseJson(text, path))
  } catch {
    return undefined // a file of this name by another program
  }
}

function originFrom(value: unknown): MatrixOrigin | undefined {
  if (!isObject(value) || typeof value['model'] !== 'string') return undefined
  return { model: value['model'], pooling: typeof value['pooling'] === 'string' ? value['pooling'] : undefined }
}

/** Names may have lost their organisation, and poolings be spelt as in the originals: `last_token`. */
function isSame(one: MatrixOrigin, other: MatrixOrigin): boolean {
  const plain = (text: string): string => (text.split('/').at(-1) ?? text).toLowerCase().replaceAll(/[^a-z0-9.]+/g, '')
  const isPooled =
    one.pooling === undefined || other.pooling === undefined || plain(one.pooling) === plain(other.pooling)
  return plain(one.model) === plain(other.model) && isPooled
}

export function refuseOther(place: string, origin: MatrixOrigin, whose: MatrixOrigin): void {
  if (isSame(origin, whose)) return
  const shown = ({ model, pooling }: MatrixOrigin): string => (pooling === undefined ? model : `${model} ${pooling}`)
  throw fault('usage.conflict', {
    place,
    what: 'the similarity is of another model or pooling',
    seen: shown(origin),
    wanted: shown(whose),
    hint: `strata similarity ${whose.model} makes one`,
  })
}
