/** Flags of `strata bench`. */
import { column } from '../../flags/corpus.ts'
import { everywhere } from '../../flags/everywhere.ts'
import { batchTokens, device, dtype, engine, threads } from '../../flags/machine.ts'
import { representation } from '../../flags/models.ts'
import { pricePerHour } from '../../flags/price.ts'
import { reading } from '../../flags/reading.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'
import { atLeastTwo, positiveNumbers } from '../../spec/parsers.ts'

const batch = {
  flags: '--batch <sizes>',
  help: 'texts per call, comma-separated (default: 1,64)',
  parse: positiveNumbers('--batch'),
} as const satisfies Flag

export const texts = {
  flags: '--texts <file>',
  help: 'texts to encode: txt, jsonl, csv, tsv or parquet (.gz too); - reads standard input (default: 256 questions of Banking77)',
} as const satisfies Flag

const rounds = {
  flags: '--rounds <n>',
  help: 'number of timed rounds, after one that does not count',
  fallback: 5,
  parse: atLeastTwo('--rounds'),
} as const satisfies Flag

export const flags = [
  batch,
  texts,
  column,
  representation,
  rounds,
  pricePerHour,
  ...reading,
  batchTokens,
  threads,
  device,
  engine,
  dtype,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
