/** The texts for an analysis of layers. */

import type { Flag } from '../spec/flag.ts'
import { positive } from '../spec/parsers.ts'

export const texts = {
  flags: '--texts <file>',
  help: 'file of texts: txt, jsonl, csv, tsv or parquet (.gz too); - reads standard input',
} as const satisfies Flag

export const column = { flags: '--column <name>', help: 'name of the column with the texts' } as const satisfies Flag

export const task = {
  flags: '--task <name>',
  help: 'task whose texts to use instead, or one split of it: NAME or NAME:split',
} as const satisfies Flag

export const dataSet = {
  flags: '--data-set <name>',
  help: 'data set whose texts to use instead: c4, or REPO[@revision][:config[:split[:column]]] (default: its default config, train, the first of text, sentence, sentence1, query, content)',
} as const satisfies Flag

export const rows = {
  flags: '--rows <n>',
  help: 'maximum number of texts: the first N of a file or data set (default 20,000 of a data set), or a seeded sample of a task',
  parse: positive('--rows'),
} as const satisfies Flag

export const corpus = [texts, column, task, dataSet, rows] as const satisfies readonly Flag[]
