/** SpladePooling of a folder: how the logits of a text's tokens become weights of words. */
import { type RepoFiles } from '#core'
import { optionalCountOf, optionalTextOf, wrongField } from '#files/formats'
import { neededConfig } from './module-entries.ts'

export interface SpladeSpec {
  readonly pooling: 'max' | 'sum'
  /** How often log(1 + x) is taken of relu(logit). */
  readonly logs: 1 | 2
  /** Where the folder says it. */
  readonly width?: number | undefined
}

/** What the library takes where no file says anything. */
export const usualSplade: SpladeSpec = { pooling: 'max', logs: 1 }

const poolings = ['max', 'sum'] as const

/** `chunk_size` is memory alone. Throws `config.value` for words that are not known. */
export async function readSplade(files: RepoFiles, folder: string): Promise<SpladeSpec> {
  const config = await neededConfig(files, folder, 'SpladePooling')
  const word = optionalTextOf(config, 'pooling_strategy') ?? 'max'
  const pooling = poolings.find((name) => name === word)
  if (pooling === undefined) throw wrongField(config.place, 'pooling_strategy', word, poolings.join(' or '))
  const activation = optionalTextOf(config, 'activation_function') ?? 'relu'
  if (activation !== 'relu' && activation !== 'log1p_relu')
    throw wrongField(config.place, 'activation_function', activation, 'relu or log1p_relu')
  const width = optionalCountOf(config, 'embedding_dimension') ?? optionalCountOf(config, 'word_embedding_dimension')
  return { pooling, logs: activation === 'relu' ? 1 : 2, ...(width === undefined ? {} : { width }) }
}
