/**
 * Folders of late-interaction models, as pylate (model type ColBERT) and sentence-transformers 6 (MultiVectorEncoder)
 * save them. Each is read as its own library reads it; sentence-transformers 6 reads a ColBERT folder alike, except that
 * words of the skip list that are no token do not stand for the unknown one.
 */
import { fault, type PromptType, type RepoFiles } from '#core'
import {
  fieldOf,
  flagOf,
  type JsonFields,
  optionalCountOf,
  optionalObjectOf,
  optionalTextOf,
  readJsonFields,
  wrongField,
} from '#files/formats'
import type { LateInteraction } from '#model/passes'

/** Whether models of this type have a vector for each token. */
export function isLateType(type: string): boolean {
  return type === 'ColBERT' || type === 'MultiVectorEncoder'
}

/** Whether a module chooses tokens, and leaves their vectors alone. */
export function isTokenModule(name: string): boolean {
  return name === 'MultiVectorMask'
}

export interface LateFolder {
  readonly lateInteraction: LateInteraction
  /** Vectors are scaled to length 1 behind the modules. */
  readonly isUnit: boolean
  /** What else the type of the folder decides. */
  readonly settings: { readonly maxLength?: undefined }
}

/** `transformer`: settings of the first module. Throws `config.*`. */
export async function readLateInteraction(
  files: RepoFiles,
  modules: readonly { readonly name: string; readonly folder: string }[],
  transformer: JsonFields,
): Promise<LateFolder> {
  const asking = await readJsonFields(files, 'config_sentence_transformers.json')
  const config = asking ?? { place: files.name, fields: {} }
  if (optionalTextOf(config, 'model_type') === 'ColBERT')
    // `max_seq_length` is that of the last text that was encoded
    return { lateInteraction: colbert(config), isUnit: true, settings: { maxLength: undefined } }
  const mask = modules.find(({ name }) => isTokenModule(name))
  const lateInteraction = multiVector(
    config,
    transformer,
    mask && (await readJsonFields(files, `${mask.folder}/config.json`)),
  )
  if (lateInteraction.expansion === undefined || mask !== undefined)
    return { lateInteraction, isUnit: false, settings: {} }
  throw fault('config.unsupported', {
    place: `${files.name}/modules.json`,
    what: 'queries are expanded, and no module scores the tokens of the expansion',
    wanted: 'MultiVectorMask',
  })
}

/** pylate's settings, with the defaults of its 1.6. */
export function colbert(config: JsonFields): LateInteraction {
  const attend = flagOf(config, 'attend_to_expansion_tokens', false)
  const length = optionalCountOf(config, 'query_length') ?? 32
  const expands = flagOf(config, 'do_query_expansion', true)
  const [query, document] = [textOr(config, 'query_prefix', '[Q] '), textOr(config, 'document_prefix', '[D] ')]
  return {
    markers: { ...(query === '' ? {} : { query }), ...(document === '' ? {} : { document }) },
    lengths: { query: length, document: optionalCountOf(config, 'document_length') ?? 180 },
    ...(expands ? { expansion: { length, attend, isLeast: false } } : {}),
    skipped: { words: textsOf(config, 'skiplist_words') ?? punctuation, sides: ['document'], unknown: true },
    isMean: false,
  }
}

/** Python's `string.punctuation`. */
const punctuation = Array.from('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')

function multiVector(config: JsonFields, transformer: JsonFields, mask: JsonFields | undefined): LateInteraction {
  const [query, document] = [
    optionalCountOf(transformer, 'query_length'),
    optionalCountOf(transformer, 'document_length'),
  ]
  const expansion = readExpansion(transformer)
  const similarity = optionalTextOf(config, 'similarity_fn_name') ?? 'maxsim'
  if (similarity !== 'maxsim' && similarity !== 'meanmaxsim')
    throw wrongField(config.place, 'similarity_fn_name', similarity, 'maxsim or meanmaxsim')
  const kept = mask && fieldOf(mask.fields, 'keep_only_token_ids')
  if (Array.isArray(kept) && kept.length > 0)
    throw fault('config.unsupported', {
      place: `${mask?.place ?? ''} › keep_only_token_ids`,
      what: 'only tokens of images are scored',
      seen: kept.slice(0, 4),
    })
  return {
    markers: {},
    lengths: { ...(query === undefined ? {} : { query }), ...(document === undefined ? {} : { document }) },
    ...(expansion === undefined ? {} : { expansion }),
    skipped: { words: (mask && textsOf(mask, 'skiplist_words')) ?? [], sides: sidesOf(mask), unknown: false },
    isMean: similarity === 'meanmaxsim',
  }
}

function readExpansion(transformer: JsonFields): LateInteraction['expansion'] {
  const own = optionalObjectOf(transformer, 'query_expansion')
  if (own === undefined) return undefined
  const strategy = optionalTextOf(own, 'strategy')
  const length = optionalCountOf(own, 'length')
  if (strategy !== 'fixed' && strategy !== 'min') throw wrongField(own.place, 'strategy', strategy, 'fixed or min')
  if (length === undefined) throw wrongField(own.place, 'length', null, 'a number of tokens')
  const token = optionalTextOf(own, 'token')
  return {
    length,
    attend: flagOf(own, 'attend', false),
    isLeast: strategy === 'min',
    ...(token === undefined ? {} : { token }),
  }
}

function sidesOf(mask: JsonFields | undefined): readonly PromptType[] {
  const sides = (mask && textsOf(mask, 'skiplist_tasks')) ?? ['document']
  return (['query', 'document'] as const).filter((side) => sides.includes(side))
}

function textOr(config: JsonFields, name: string, absent: string): string {
  return optionalTextOf(config, name) ?? absent
}

function textsOf(config: JsonFields, name: string): readonly string[] | undefined {
  const value = fieldOf(config.fields, name) ?? undefined
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw wrongField(config.place, name, value, 'a list of words')
}
