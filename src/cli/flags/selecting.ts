/** Selection of tasks, and the folder of their results: the flags of every command that scores. */
import type { Flag } from '../spec/flag.ts'
import { against, overwriteStrategy, results } from './results.ts'
import {
  benchmark,
  domains,
  kmeans,
  languages,
  maxSamples,
  profile,
  splits,
  subsets,
  taskFile,
  tasks,
  types,
} from './tasks.ts'

export const byName = [tasks, benchmark, taskFile] as const satisfies readonly Flag[]

/** Among the tasks named, and within them. */
export const narrowing = [
  languages,
  domains,
  maxSamples,
  splits,
  subsets,
  profile,
  kmeans,
] as const satisfies readonly Flag[]

/** Tasks, and parts of them. */
export const choosing = [...byName, types, ...narrowing] as const satisfies readonly Flag[]

export const selecting = [...choosing, results, overwriteStrategy] as const satisfies readonly Flag[]

export const asking = [...selecting, against] as const satisfies readonly Flag[]
