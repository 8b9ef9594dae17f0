/** Flags of `strata locales`. */
import type { ComparisonFormat, SourceChoice, StudyMode } from '#experiment/locales'
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { batchTokens, cacheDir, cacheLimit, device, threads } from '../../flags/machine.ts'
import { maxLength } from '../../flags/reading.ts'
import { results } from '../../flags/results.ts'
import { overwrite } from '../../flags/writing.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'
import { aboveZero, atLeastZero, list, positive } from '../../spec/parsers.ts'
import { resume, workers } from '../../experiment/flags.ts'

export const models = {
  flags: '--models <where>',
  help: 'one classifier per locale: a pattern with {locale}, a folder of folders such as sq-AL, or a .csv with locale and model_name',
} as const satisfies Flag

const subfolder = {
  flags: '--subfolder <pattern>',
  help: 'folder inside every model, such as "alpha_0.5_{locale}_epoch-9"',
} as const satisfies Flag

/** Groups of the help. */
const ownModels = ['baseline'] as const
const weighted = ['similarity', 'uriel', 'manual', 'real'] as const
const means = ['average', 'slerp', 'multislerp', 'karcher'] as const
const ofMoments = ['fisher', 'regmean'] as const
const ofTaskVectors = [
  'task_arithmetic',
  'ties',
  'dare_linear',
  'dare_ties',
  'della_linear',
  'della',
  'breadcrumbs',
  'breadcrumbs_ties',
  'lines',
  'nuslerp',
  'model_stock',
  'sce',
  'pcb',
  'magmax',
  'emr',
  'consensus_ta',
  'ram',
  'ramplus_tl',
  'tsv_m',
  'iso_c',
  'iso_cts',
  'knots_ties',
  'svc',
] as const
const votes = ['majority', 'weighted_majority', 'soft_vote', 'weighted_logits'] as const
// the compiler finds a mode that the help leaves out
wordsOf<StudyMode>()([...ownModels, ...weighted, ...means, ...ofMoments, ...ofTaskVectors, ...votes])
const listed = (names: readonly StudyMode[]): string => names.join(', ')

const mode = {
  flags: '--mode <names>',
  help: `compared ways, comma-separated (default: baseline, similarity, average). The model of the locale itself: ${listed(ownModels)}. Weighted means of its sources: ${listed(weighted)}. Other means: ${listed(means)}. By what each source learned: ${listed(ofMoments)}. By their changes to the common ancestor: ${listed(ofTaskVectors)}. The sources vote: ${listed(votes)}`,
  parse: list,
} as const satisfies Flag

const baseModel = {
  flags: '--base-model <model>',
  help: 'common ancestor of the models, for modes that merge changes to it, such as task_arithmetic and ties, and for --similarity task-vectors',
} as const satisfies Flag

const locales = {
  flags: '--locales <names>',
  help: 'targets, comma-separated: sq-AL, or a language such as sqi (default: all that have a model)',
  parse: list,
} as const satisfies Flag

const startFrom = {
  flags: '--start-from <locale>',
  help: 'first target, by name or by its place among the targets, from 0',
} as const satisfies Flag

const maxLocales = {
  flags: '--max-locales <n>',
  help: 'maximum number of targets',
  parse: positive('--max-locales'),
} as const satisfies Flag

const listLocales = {
  flags: '--list-locales',
  help: 'list the targets with their places, and do nothing',
} as const satisfies Flag

const skip = (name: StudyMode): Flag => ({ flags: `--skip-${name}`, help: `the same as --mode without ${name}` })
const skipBaseline = { ...skip('baseline'), flags: '--skip-baseline' } as const satisfies Flag
const skipSimilarity = { ...skip('similarity'), flags: '--skip-similarity' } as const satisfies Flag
const skipAverage = { ...skip('average'), flags: '--skip-average' } as const satisfies Flag

const topK = {
  flags: '--top-k <n>',
  help: 'number of sources of a target',
  fallback: 5,
  parse: positive('--top-k'),
} as const satisfies Flag

const similarity = {
  flags: '--similarity <what>',
  help: 'uriel (syntax of the languages), sinkhorn, sinkhorn-legacy (as merginguriel balances it), manual (the file of --weights), real (--accuracies), task-vectors (cosine of what two models changed about --base-model), hidden-states (CKA of two models on texts of the target), or a .csv of sources × targets: similarities, or accuracies',
  fallback: 'uriel',
} as const satisfies Flag

export const weights = {
  flags: '--weights <file>',
  help: 'for --mode manual and --similarity manual: .csv or .json with target, source and weight',
} as const satisfies Flag

export const accuracies = {
  flags: '--accuracies <where>',
  help: 'for --mode real and --similarity real: results of the models in each locale, a folder or a .csv of sources × targets',
} as const satisfies Flag

export const choose = {
  flags: '--choose <how>',
  help: 'choice of sources: top-k (the nearest), or by their similarity to each other too: qp, weighted_greedy, greedy (methods of strata aggregate)',
  choices: wordsOf<SourceChoice>()(['top-k', 'qp', 'weighted_greedy', 'greedy']),
  fallback: 'top-k',
} as const satisfies Flag

export const lambda = {
  flags: '--lambda <price>',
  help: 'price of similar sources, for --choose (default: 0.5)',
  parse: atLeastZero('--lambda'),
} as const satisfies Flag

export const temperature = {
  flags: '--temperature <t>',
  help: 'of the softmax over the similarities: the smaller, the more the nearest source counts; none: weights in proportion to the similarities',
  fallback: 0.02,
  parse: (text: string): number | 'none' => (text === 'none' ? text : aboveZero('--temperature')(text)),
} as const satisfies Flag

export const momentTexts = {
  flags: '--moment-texts <n>',
  help: 'training texts of its own locale that a source’s Fisher information or Gram matrices are computed from, for fisher and regmean',
  fallback: 512,
  parse: positive('--moment-texts'),
} as const satisfies Flag

export const similarityTexts = {
  flags: '--similarity-texts <n>',
  help: 'validation texts of each target that models are compared on, for --similarity hidden-states',
  fallback: 512,
  parse: positive('--similarity-texts'),
} as const satisfies Flag

const includeTarget = {
  flags: '--include-target',
  help: 'let the model of a target be one of its sources',
} as const satisfies Flag

const layout = {
  flags: '--layout <name>',
  help: 'write the scores and the progress of each finished locale, and the similarities, next to the study, too, as another program lays them out: merginguriel',
  choices: wordsOf<'merginguriel'>()(['merginguriel']),
} as const satisfies Flag

export const writingModels = {
  flags: '--write-models',
  help: 'keep the merges as checkpoints in merged_models/{mode}_merge_{locale} next to the study; finished ones are reused',
} as const satisfies Flag

const showMissing = {
  flags: '--show-missing',
  help: 'aggregate: list the locales that a type has no result for',
} as const satisfies Flag

const format = {
  flags: '--format <name>',
  help: 'aggregate: files to write: csv (results and comparison), json (statistics), markdown (report), or all',
  choices: wordsOf<ComparisonFormat>()(['csv', 'json', 'markdown', 'all']),
  fallback: 'all',
} as const satisfies Flag

const outputPrefix = {
  flags: '--output-prefix <path>',
  help: 'aggregate: beginning of the paths of the files',
  fallback: 'results',
} as const satisfies Flag

const out = {
  flags: '--out <file>',
  help: 'page of the comparison to write, .html: tables, gains by locale, weights, families',
} as const satisfies Flag

/** Flags of `strata locales aggregate`. */
export const aggregating: readonly Flag[] = [results, showMissing, format, outputPrefix, out, cacheDir, ...everywhere]

const choosing = [
  models,
  subfolder,
  mode,
  baseModel,
  locales,
  startFrom,
  maxLocales,
  listLocales,
  skipBaseline,
  skipSimilarity,
  skipAverage,
  topK,
  similarity,
  similarityTexts,
  weights,
  accuracies,
  choose,
  lambda,
  temperature,
  includeTarget,
  momentTexts,
  maxLength,
  layout,
  writingModels,
  overwrite,
  workers,
  resume,
] as const satisfies readonly Flag[]

const working = [
  out,
  batchTokens,
  threads,
  device,
  cacheDir,
  cacheLimit,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

/** Flags of a study. */
export const studying: readonly Flag[] = [...choosing, results, ...working]

export const flags = [
  ...choosing,
  results,
  showMissing,
  format,
  outputPrefix,
  ...working,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
