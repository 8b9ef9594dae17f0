/** Flags of `strata distill`. */
import { fault } from '#core'
import type { CorpusSteps, TokenPooling } from '#experiment/write'
import type { TableDims, TableDtype } from '#model/distill'
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { column, rows } from '../../flags/corpus.ts'
import { batchTokens, device, threads } from '../../flags/machine.ts'
import { overwrite } from '../../flags/writing.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'
import { positive } from '../../spec/parsers.ts'

export const out = { flags: '--out <folder>', help: 'folder to write' } as const satisfies Flag

export const pcaDims = {
  flags: '--pca-dims <n>',
  help: 'principal components: a number, a share of the variance below 1, auto for all, or none (default: 256, or fewer where the model is narrower)',
  parse: (text: string): TableDims => {
    if (text === 'auto' || text === 'none') return text
    const value = Number(text)
    if (value > 0 && (value < 1 || Number.isInteger(value))) return value
    throw fault('usage.value', {
      place: '--pca-dims',
      what: 'not a number of components',
      seen: text,
      wanted: '256, 0.95, auto or none',
    })
  },
} as const satisfies Flag

export const sif = {
  flags: '--sif <a>',
  help: 'coefficient of the weights by rank a / (a + p), or none',
  fallback: 1e-4,
  parse: (text: string): number | 'none' => {
    if (text === 'none') return text
    const value = Number(text)
    if (value > 0 && value < 1) return value
    throw fault('usage.value', {
      place: '--sif',
      what: 'must be above 0 and below 1',
      seen: text,
      wanted: '1e-4, or none',
    })
  },
} as const satisfies Flag

export const vocabulary = {
  flags: '--vocabulary <file>',
  help: 'words to add, one per line; those of several words are found as a whole',
} as const satisfies Flag

export const corpus = {
  flags: '--corpus <file>',
  help: 'texts that the table is weighted by and fitted to: txt, jsonl, csv, tsv or parquet (.gz too)',
} as const satisfies Flag

export const corpusSteps = {
  flags: '--corpus-steps <steps>',
  help: 'weights by the frequencies of its tokens, a fit to the model’s vectors of its texts, or both; auto takes each step that gains 0.001 or more in Spearman’s correlation on texts left out (default: auto)',
  choices: wordsOf<CorpusSteps>()(['auto', 'weights', 'fit', 'both']),
} as const satisfies Flag

export const layers = {
  flags: '--layers <layer>',
  help: 'state that the vectors come from: an index such as 4 or -1, h4, or a representation file',
  fallback: '-1',
} as const satisfies Flag

export const pooling = {
  flags: '--pooling <name>',
  help: 'how the states of a token and its special tokens become one vector',
  choices: wordsOf<TokenPooling>()(['mean', 'last', 'first', 'pooler']),
  fallback: 'mean',
} as const satisfies Flag

export const dtype = {
  flags: '--dtype <type>',
  help: 'type of the table',
  choices: wordsOf<TableDtype>()(['float32', 'float16', 'int8']),
  fallback: 'float16',
} as const satisfies Flag

export const vocabularyQuantization = {
  flags: '--vocabulary-quantization <k>',
  help: 'number of rows that similar tokens share, found by k-means (default: each token has its own)',
  parse: positive('--vocabulary-quantization'),
} as const satisfies Flag

export const removePattern = {
  flags: '--remove-pattern <regex>',
  help: 'leave out tokens that it matches from their first character; none leaves out nothing',
  fallback: '\\[unused\\d+\\]',
} as const satisfies Flag

export const instruction = {
  flags: '--instruction <text>',
  help: 'text that stands before every token, and is left out of the pooling',
} as const satisfies Flag

export const flags = [
  out,
  pcaDims,
  sif,
  vocabulary,
  corpus,
  corpusSteps,
  column,
  rows,
  layers,
  pooling,
  dtype,
  vocabularyQuantization,
  removePattern,
  instruction,
  batchTokens,
  threads,
  device,
  overwrite,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
