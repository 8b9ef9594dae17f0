/** Selection of tasks, and of parts of them. */
import type { KMeansProfile } from '#platform/linalg'
import type { Profile } from '#task/rows'
import { type Flag, wordsOf } from '../spec/flag.ts'
import { list, positive } from '../spec/parsers.ts'

export const tasks = {
  flags: '--tasks <names>',
  help: 'names of tasks, globs and presets (layer_by_layer_32, core, quick, full, all), comma-separated',
  joined: true,
  parse: list,
} as const satisfies Flag

export const benchmark = {
  flags: '--benchmark <name>',
  help: 'tasks, splits and subsets of a benchmark, such as "MTEB(eng, v2)"; --tasks narrows it; repeatable',
  repeated: true,
} as const satisfies Flag

export const taskFile = {
  flags: '--task-file <path>',
  help: 'your own tasks: a YAML file or a BEIR folder; repeatable',
  repeated: true,
} as const satisfies Flag

export const types = {
  flags: '--types <names>',
  help: 'only tasks of these types, comma-separated',
  joined: true,
  parse: list,
} as const satisfies Flag

export const languages = {
  flags: '--languages <codes>',
  help: 'only subsets in these languages or scripts (ISO 639-3 and 15924: eng, eng-Latn, Latn)',
  parse: list,
} as const satisfies Flag

export const domains = {
  flags: '--domains <names>',
  help: 'only tasks of these domains, such as News,Legal',
  parse: list,
} as const satisfies Flag

export const maxSamples = {
  flags: '--max-samples <n>',
  help: 'skip tasks with more texts, all splits together (default: no limit); tasks of unknown size are kept',
  parse: positive('--max-samples'),
} as const satisfies Flag

export const splits = {
  flags: '--splits <names>',
  help: 'splits to use instead of the defaults, comma-separated',
  parse: list,
} as const satisfies Flag

export const subsets = {
  flags: '--subsets <names>',
  help: 'only these subsets, comma-separated',
  parse: list,
} as const satisfies Flag

export const profile = {
  flags: '--profile <name>',
  help: 'version of mteb whose scores are reproduced',
  choices: wordsOf<Profile>()(['mteb-2', 'mteb-1']),
  fallback: 'mteb-2',
} as const satisfies Flag

export const kmeans = {
  flags: '--kmeans <profile>',
  help: 'scikit-learn whose k-means is used for clustering: ≤ 1.2 (A0), 1.3 to 1.7 (A, as published), 1.8 (A1), ≥ 1.9 (B)',
  choices: wordsOf<KMeansProfile>()(['A0', 'A', 'A1', 'B']),
  fallback: 'A',
} as const satisfies Flag
