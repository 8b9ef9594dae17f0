/** The entries of modules.json: which module, in which folder. */
import { fault, type RepoFiles } from '#core'
import { isObject, type JsonFields, optionalTextOf, readJsonFields, wrongField } from '#files/formats'
import { folderNamed } from '#files/hub'

export interface Entry {
  readonly name: string
  readonly folder: string
  /** One of the library's modules for sparse vectors. */
  readonly isSparse: boolean
}

/** The first reads text. */
export type Entries = readonly [Entry, ...Entry[]]

/** More modules than any model has. */
const maxModules = 32

const inputs = ['Transformer', 'MLMTransformer', 'StaticEmbedding', 'SparseStaticEmbedding', 'Router', 'Asym']
const known = [
  ...inputs,
  'WeightedLayerPooling',
  'Pooling',
  'SpladePooling',
  'Dense',
  'Normalize',
  'LayerNorm',
  'Dropout',
  'SparseAutoEncoder',
  'MultiVectorMask',
  'LogitScore',
]

/**
 * `ownTransformer`: a class of the repository's own code that is read as the library's Transformer. Throws `config.*`,
 * `format.limit`, `file.outside`.
 */
export function readEntries(list: readonly unknown[], place: string, ownTransformer?: string): Entries {
  if (list.length > maxModules)
    throw fault('format.limit', { place, what: 'too many modules', seen: list.length, wanted: `at most ${maxModules}` })
  const entries = list.map((entry, index): Entry => {
    if (!isObject(entry)) throw wrongField(place, String(index), entry, 'an object')
    const config = { place: `${place} › ${index}`, fields: entry }
    const type = optionalTextOf(config, 'type')
    if (type === undefined) throw wrongField(config.place, 'type', null, 'a module’s name')
    const known = type === ownTransformer ? 'sentence_transformers.models.Transformer' : type
    return toEntry(known, optionalTextOf(config, 'path') ?? '', config.place)
  })
  return checkedFirst(entries, place)
}

export function toEntry(type: string, path: string, place: string): Entry {
  // Every release spells the way to a module differently; the last word has stayed.
  const isKnown = type.startsWith('sentence_transformers.') || type === 'pylate.models.Dense.Dense'
  const name = isKnown ? (type.split('.').at(-1) ?? '') : undefined
  if (name === undefined) throw unsupported(place, type, 'it is code of the repository itself, which is never run')
  if (!known.includes(name)) throw unsupported(place, type, `known modules: ${known.join(', ')}`)
  return { name, folder: folderNamed(path, `${place} › path`), isSparse: type.includes('.sparse_encoder.') }
}

/** Throws `config.value` where there are none, or the first reads no text. */
export function checkedFirst(entries: readonly Entry[], place: string): Entries {
  const [first, ...rest] = entries
  if (first === undefined) throw fault('config.value', { place, what: 'no modules' })
  if (!inputs.includes(first.name))
    throw fault('config.value', {
      place,
      what: 'the first module does not read text',
      seen: first.name,
      wanted: inputs.join(' or '),
    })
  return [first, ...rest]
}

/** The config of a module that cannot do without. Throws `config.missing`. */
export async function neededConfig(files: RepoFiles, folder: string, module: string): Promise<JsonFields> {
  const path = inFolder(folder, 'config.json')
  const config = await readJsonFields(files, path)
  if (config === undefined)
    throw fault('config.missing', {
      place: `${files.name}/${path}`,
      what: `the module ${module} has no config`,
      hint: 'download the repository completely',
    })
  return config
}

export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

export function unsupported(place: string, seen: string, hint: string): Error {
  return fault('config.unsupported', { place, what: 'not supported', seen, hint })
}
