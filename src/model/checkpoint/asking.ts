/** How a whole folder is asked, from config_sentence_transformers.json: prompts, similarity, numbers of a vector. */
import { type RepoFiles, similarities, type Similarity } from '#core'
import {
  type JsonFields,
  optionalCountOf,
  optionalObjectOf,
  optionalTextOf,
  readJsonFields,
  wrongField,
} from '#files/formats'
import { isLateType } from './late-interaction-folder.ts'
import { type Entry, unsupported } from './module-entries.ts'
import type { ModuleStep } from './module-steps.ts'

export interface Asking {
  readonly prompts: Readonly<Record<string, string>>
  readonly defaultPromptName: string | undefined
  readonly similarity: Similarity | undefined
  /** A SparseEncoder, by its own word or by its modules. */
  readonly isSparse?: boolean
  /** A vector for each token. */
  readonly isLate?: boolean
  /** What the library does to a vector after all modules. */
  readonly last: readonly ModuleStep[]
  /** Numbers of a vector that are not 0, at most; takes the place of a module's own. */
  readonly active: number | undefined
}

/** Throws `config.unsupported` for another kind of model, `config.value`. */
export async function readAsking(files: RepoFiles, entries: readonly Entry[]): Promise<Asking> {
  const config = await readJsonFields(files, 'config_sentence_transformers.json')
  const type = config && optionalTextOf(config, 'model_type')
  const isSparse = type === 'SparseEncoder' || (type === undefined && entries.some((entry) => entry.isSparse))
  const sparse = isSparse ? ({ isSparse, similarity: 'dot' } as const) : {}
  const nothing = { prompts: {}, defaultPromptName: undefined, similarity: undefined, last: [], active: undefined }
  if (config === undefined) return { ...nothing, ...sparse }
  const isLate = type !== undefined && isLateType(type)
  if (type !== undefined && type !== 'SentenceTransformer' && !isSparse && !isLate)
    throw unsupported(
      `${config.place} › model_type`,
      type,
      'known models: SentenceTransformer, SparseEncoder, MultiVectorEncoder, ColBERT',
    )
  // its words are others, and its own reader’s
  const word = isLate ? undefined : optionalTextOf(config, 'similarity_fn_name')
  const similarity = similarities.find((name) => name === word)
  if (word !== undefined && similarity === undefined)
    throw wrongField(config.place, 'similarity_fn_name', word, similarities.join(', '))
  const width = isSparse ? undefined : optionalCountOf(config, 'truncate_dim')
  const active = isSparse ? optionalCountOf(config, 'max_active_dims') : undefined
  return {
    ...sparse,
    isLate,
    ...readPrompts(config),
    similarity: similarity ?? sparse.similarity,
    last: [
      ...(width === undefined ? [] : [{ kind: 'truncate', width } as const]),
      ...(active === undefined ? [] : [{ kind: 'most-active', count: active } as const]),
    ],
    active,
  }
}

/** The prompts of config_sentence_transformers.json. Throws `config.value`. */
export function readPrompts(config: JsonFields): Pick<Asking, 'prompts' | 'defaultPromptName'> {
  const given = optionalObjectOf(config, 'prompts')
  const prompts = Object.entries(given?.fields ?? {}).map(([name, prompt]): [string, string] => {
    if (prompt !== null && typeof prompt !== 'string')
      throw wrongField(given?.place ?? config.place, name, prompt, 'a string')
    return [name, prompt ?? '']
  })
  const defaultPromptName = optionalTextOf(config, 'default_prompt_name')
  if (defaultPromptName !== undefined && !prompts.some(([name]) => name === defaultPromptName)) {
    throw wrongField(
      config.place,
      'default_prompt_name',
      defaultPromptName,
      `one of the prompts: ${prompts.map(([name]) => name).join(', ')}`,
    )
  }
  return { prompts: Object.fromEntries(prompts), defaultPromptName }
}
