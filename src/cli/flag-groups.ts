/** Flags that several commands share. */
import type { FlagName } from './flags.ts'

/** How a model is read. */
export const reading = [
  'pooling',
  'finalNorm',
  'maxLength',
  'prompt',
  'promptName',
  'architecture',
] as const satisfies readonly FlagName[]
/** What it runs on. */
export const hardware = [
  'batchTokens',
  'threads',
  'device',
  'engine',
  'cacheDir',
  'cacheLimit',
] as const satisfies readonly FlagName[]
export const machine = [...hardware, 'dtype'] as const satisfies readonly FlagName[]
/** Which tasks, and where their results go. */
export const selecting = [
  'tasks',
  'benchmark',
  'taskFile',
  'types',
  'languages',
  'domains',
  'splits',
  'subsets',
  'profile',
  'kmeans',
  'outputFolder',
  'overwriteStrategy',
] as const satisfies readonly FlagName[]
export const asking = [...selecting, 'against'] as const satisfies readonly FlagName[]
export const everywhere = ['json', 'quiet', 'debug'] as const satisfies readonly FlagName[]
