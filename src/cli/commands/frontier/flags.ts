/** Flags of `strata frontier`. */
import { fault, suggestNearest } from '#core'
import type { VectorType } from '#representation/layers'
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { merge } from '../../flags/models.ts'
import { background, plot } from '../../flags/pictures.ts'
import { plugin } from '../../flags/plugin.ts'
import { furtherReading, normalize } from '../../flags/reading.ts'
import { overwriteStrategy, results } from '../../flags/results.ts'
import { byName, narrowing } from '../../flags/selecting.ts'
import { types as ofTasks } from '../../flags/tasks.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'
import { list, partOfScore, positiveNumbers } from '../../spec/parsers.ts'

export const layers = {
  flags: '--layers <list>',
  help: 'hidden states: all, none, or indices such as 0,3,-1; the model’s default is a point in any case',
  fallback: 'all',
} as const satisfies Flag

export const poolings = {
  flags: '--pooling <names>',
  help: 'poolings of the hidden states, comma-separated (default: the model’s own)',
  parse: list,
} as const satisfies Flag

export const dims = {
  flags: '--dims <list>',
  help: 'leading dimensions, comma-separated (default: powers of two from 32 on, and all)',
  parse: positiveNumbers('--dims'),
} as const satisfies Flag

const typeWords = wordsOf<VectorType>()(['float32', 'float16', 'int8', 'uint8', 'binary', 'ubinary'])

export const types = {
  flags: '--types <names>',
  help: `types of the numbers of a vector, comma-separated: ${typeWords.join(', ')} (default: float32,float16,int8,binary)`,
  parse: (text: string): readonly VectorType[] => [...new Set(list(text).map(typeNamed))],
} as const satisfies Flag

function typeNamed(word: string): VectorType {
  const type = typeWords.find((known) => known === word)
  if (type !== undefined) return type
  throw fault('usage.value', {
    place: '--types',
    what: 'not a type of vectors',
    seen: word,
    wanted: typeWords.join(', '),
    hint: suggestNearest(word, typeWords),
  })
}

/** `--types` is of vectors here. */
export const taskTypes = { ...ofTasks, flags: '--task-types <names>' } as const satisfies Flag

export const loss = {
  flags: '--loss <points>',
  help: 'score that the chosen vector may lose on the validation rows: 0.01 is one point',
  fallback: 0.01,
  parse: partOfScore('--loss'),
} as const satisfies Flag

export const all = { flags: '--all', help: 'print every point, not the front alone' } as const satisfies Flag

export const flags = [
  ...byName,
  taskTypes,
  ...narrowing,
  results,
  overwriteStrategy,
  merge,
  layers,
  poolings,
  dims,
  types,
  loss,
  all,
  plot,
  background,
  ...furtherReading,
  normalize,
  ...machine,
  dryRun,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
