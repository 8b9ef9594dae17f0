/** The texts that layers are looked at by. */

import type { Flag } from '../spec/flag.ts'
import { positive } from '../spec/parsers.ts'

export const texts = {
  flags: '--texts <file>',
  help: 'texts to look by: txt, jsonl, csv, tsv, parquet (.gz too); - reads standard input',
} as const satisfies Flag

export const column = { flags: '--column <name>', help: 'column with the texts' } as const satisfies Flag

export const task = {
  flags: '--task <name>',
  help: 'the texts of a task instead, or of one split of it: NAME or NAME:split',
} as const satisfies Flag

export const dataSet = {
  flags: '--data-set <name>',
  help: 'the texts of any data set instead: REPO[@revision][:config[:split[:column]]] (default: its default config, train, the first of text, sentence, sentence1, query, content)',
} as const satisfies Flag

export const rows = {
  flags: '--rows <n>',
  help: 'at most so many texts: the first of a file or data set (default 20,000 of a data set), a seeded sample of a task',
  parse: positive('--rows'),
} as const satisfies Flag

export const corpus = [texts, column, task, dataSet, rows] as const satisfies readonly Flag[]
