/**
 * The settings of one task, complete and typed: what the file says, what it leaves open, and no word that the harness
 * does not know.
 */
import { fault, suggestion } from '#core'
import { isObject } from '#files/formats'
import { type Config, type FunctionReference, isFunctionReference } from './read-config.ts'
import type { DocValue } from '../doc.ts'

export const outputTypes = ['loglikelihood', 'multiple_choice', 'loglikelihood_rolling', 'generate_until'] as const
export type OutputType = (typeof outputTypes)[number]

/** A column's name, a template, a literal, or a function. */
export type Field = DocValue | FunctionReference

export interface FilterStep {
  readonly function: string | FunctionReference
  readonly options: Readonly<Record<string, unknown>>
}

export interface FilterPipeline {
  readonly name: string
  readonly steps: readonly FilterStep[]
}

export interface MetricConfig {
  readonly metric: string | FunctionReference
  readonly aggregation: string | FunctionReference | undefined
  readonly higherIsBetter: boolean | undefined
  readonly hfEvaluate: boolean
  readonly options: Readonly<Record<string, unknown>>
}

export interface FewshotConfig {
  readonly sampler: string
  readonly split: string | undefined
  readonly processDocs: FunctionReference | undefined
  readonly samples: readonly Readonly<Record<string, DocValue>>[] | FunctionReference | undefined
  readonly docToText: Field | undefined
  readonly docToChoice: Field | undefined
  readonly docToTarget: Field | undefined
  readonly genPrefix: string | undefined
  readonly fewshotDelimiter: string
  readonly targetDelimiter: string
}

/** Names as in the files, in this program's case (lm-evaluation-harness 0.4.13, `TaskConfig`). */
export interface TaskConfig {
  readonly task: string
  readonly alias: string
  readonly datasetPath: string | undefined
  readonly datasetName: string | undefined
  readonly datasetKwargs: Readonly<Record<string, unknown>>
  readonly customDataset: FunctionReference | undefined
  readonly trainingSplit: string | undefined
  readonly validationSplit: string | undefined
  readonly testSplit: string | undefined
  readonly processDocs: FunctionReference | undefined
  readonly docToText: Field | undefined
  readonly docToTarget: Field | undefined
  readonly docToChoice: Field | undefined
  readonly processResults: FunctionReference | undefined
  readonly description: string
  readonly targetDelimiter: string
  readonly fewshotDelimiter: string
  readonly fewshot: FewshotConfig
  readonly numFewshot: number | undefined
  readonly outputType: OutputType
  readonly generationKwargs: Readonly<Record<string, unknown>>
  readonly repeats: number
  readonly filters: readonly FilterPipeline[]
  readonly metrics: readonly MetricConfig[] | undefined
  readonly genPrefix: string | undefined
  readonly unsafeCode: boolean
  /** Pictures or sound are asked for. */
  readonly media: boolean
  readonly version: DocValue
  /** As written, includes and overrides merged; for result files. */
  readonly written: Config
  /** Every function that the task needs. */
  readonly functions: readonly FunctionReference[]
}

const keys = [
  'task',
  'task_alias',
  'tag',
  'group',
  'task_list',
  'custom_dataset',
  'dataset_path',
  'dataset_name',
  'dataset_kwargs',
  'training_split',
  'validation_split',
  'test_split',
  'fewshot_split',
  'process_docs',
  'doc_to_text',
  'doc_to_target',
  'doc_to_image',
  'doc_to_audio',
  'unsafe_code',
  'doc_to_choice',
  'process_results',
  'use_prompt',
  'description',
  'target_delimiter',
  'fewshot_delimiter',
  'fewshot_config',
  'num_fewshot',
  'metric_list',
  'output_type',
  'generation_kwargs',
  'repeats',
  'filter_list',
  'should_decontaminate',
  'doc_to_decontamination_query',
  'gen_prefix',
  'metadata',
]

const fewshotKeys = [
  'sampler',
  'split',
  'process_docs',
  'fewshot_indices',
  'samples',
  'doc_to_text',
  'doc_to_choice',
  'doc_to_target',
  'gen_prefix',
  'fewshot_delimiter',
  'target_delimiter',
]

/** Throws `usage.value` naming the key. `place`: the task's file. */
export function taskConfig(raw: Config, place: string): TaskConfig {
  checkKeys(raw, keys, place)
  const reader = fields(raw, place)
  const { text, optionalText, reference, field, record } = reader
  const task = text('task', '')
  const fewshotDelimiter = text('fewshot_delimiter', '\n\n')
  const targetDelimiter = text('target_delimiter', ' ')
  const outputType = outputTypes.find((type) => type === (raw['output_type'] ?? 'generate_until'))
  if (outputType === undefined) throw wrong(place, 'output_type', raw['output_type'], [...outputTypes])
  if (raw['use_prompt'] !== undefined && raw['use_prompt'] !== null)
    throw wrong(place, 'use_prompt', raw['use_prompt'], 'no prompt of promptsource: its prompts are code')
  const shared = {
    processDocs: reference('process_docs'),
    docToText: field('doc_to_text'),
    docToTarget: field('doc_to_target'),
    docToChoice: field('doc_to_choice'),
    genPrefix: optionalText('gen_prefix'),
  }
  const metadata = isObject(raw['metadata']) ? raw['metadata'] : {}
  return {
    task,
    alias: optionalText('task_alias') ?? task,
    datasetPath: optionalText('dataset_path'),
    datasetName: optionalText('dataset_name'),
    datasetKwargs: record('dataset_kwargs'),
    customDataset: reference('custom_dataset'),
    trainingSplit: optionalText('training_split'),
    validationSplit: optionalText('validation_split'),
    testSplit: optionalText('test_split'),
    ...shared,
    processResults: reference('process_results'),
    description: optionalText('description') ?? '',
    targetDelimiter,
    fewshotDelimiter,
    fewshot: fewshotOf(
      record('fewshot_config'),
      { ...shared, split: optionalText('fewshot_split'), fewshotDelimiter, targetDelimiter },
      place,
    ),
    numFewshot: reader.count('num_fewshot'),
    outputType,
    generationKwargs: generationOf(raw['generation_kwargs'], outputType, fewshotDelimiter, place),
    repeats: reader.count('repeats') ?? 1,
    filters: filtersOf(raw['filter_list'], place),
    metrics:
      raw['metric_list'] === undefined || raw['metric_list'] === null
        ? undefined
        : listOf(raw['metric_list'], 'metric_list', place).map((own) => metricOf(own, place)),
    unsafeCode: raw['unsafe_code'] === true,
    media: (raw['doc_to_image'] ?? raw['doc_to_audio'] ?? null) !== null,
    version: (metadata['version'] ?? 'Yaml') as DocValue,
    written: raw,
    functions: functionsIn(raw),
  }
}

type Inherited = Omit<FewshotConfig, 'sampler' | 'samples'>

function fewshotOf(raw: Config, inherited: Inherited, place: string): FewshotConfig {
  checkKeys(raw, fewshotKeys, `${place} › fewshot_config`)
  const own = fields(raw, `${place} › fewshot_config`)
  const samples = raw['samples'] ?? undefined
  const given = <Value>(key: string, value: Value | undefined, fallback: Value | undefined): Value | undefined =>
    key in raw ? value : fallback
  return {
    sampler: own.text('sampler', 'default'),
    split: given('split', own.optionalText('split'), inherited.split),
    processDocs: given('process_docs', own.reference('process_docs'), inherited.processDocs),
    samples:
      samples === undefined || isFunctionReference(samples)
        ? samples
        : (listOf(samples, 'samples', place) as Readonly<Record<string, DocValue>>[]),
    docToText: given('doc_to_text', own.field('doc_to_text'), inherited.docToText),
    docToChoice: given('doc_to_choice', own.field('doc_to_choice'), inherited.docToChoice),
    docToTarget: given('doc_to_target', own.field('doc_to_target'), inherited.docToTarget),
    genPrefix: given('gen_prefix', own.optionalText('gen_prefix'), inherited.genPrefix),
    fewshotDelimiter: own.text('fewshot_delimiter', inherited.fewshotDelimiter),
    targetDelimiter: own.text('target_delimiter', inherited.targetDelimiter),
  }
}

function generationOf(raw: unknown, outputType: OutputType, delimiter: string, place: string): Config {
  if (raw === undefined || raw === null)
    return outputType === 'generate_until'
      ? { until: [delimiter], max_gen_toks: 256, do_sample: false, temperature: { kind: 'float', value: 0 } }
      : {}
  if (!isObject(raw)) throw wrong(place, 'generation_kwargs', raw, 'a map')
  const temperature = raw['temperature']
  return {
    ...raw,
    ...(typeof temperature === 'number' &&
      Number.isInteger(temperature) && { temperature: { kind: 'float', value: temperature } }),
    until: raw['until'] ?? [delimiter],
  }
}

/** Without any, the first of the repeats is taken. */
function filtersOf(raw: unknown, place: string): FilterPipeline[] {
  if (raw === undefined || raw === null) return [{ name: 'none', steps: [{ function: 'take_first', options: {} }] }]
  return listOf(raw, 'filter_list', place).map((pipeline) => {
    checkKeys(pipeline, ['name', 'filter'], `${place} › filter_list`)
    const steps = listOf(pipeline['filter'], 'filter', `${place} › filter_list`).map(
      ({ function: named, ...options }) => {
        if (typeof named !== 'string' && !isFunctionReference(named))
          throw wrong(`${place} › filter_list`, 'function', named, 'a filter')
        return { function: named, options }
      },
    )
    return { name: String(pipeline['name']), steps }
  })
}

function metricOf(
  { metric, aggregation, higher_is_better: higher, hf_evaluate: hf, ...options }: Config,
  place: string,
): MetricConfig {
  const named = (value: unknown, key: string): string | FunctionReference => {
    if (typeof value === 'string' || isFunctionReference(value)) return value
    throw wrong(`${place} › metric_list`, key, value, 'a name or a function')
  }
  return {
    metric: named(metric, 'metric'),
    aggregation: aggregation === undefined || aggregation === null ? undefined : named(aggregation, 'aggregation'),
    higherIsBetter: typeof higher === 'boolean' ? higher : undefined,
    hfEvaluate: hf === true,
    options,
  }
}

function functionsIn(value: unknown): FunctionReference[] {
  if (isFunctionReference(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(functionsIn)
  return isObject(value) ? Object.values(value).flatMap(functionsIn) : []
}

function listOf(value: unknown, key: string, place: string): Config[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw wrong(place, key, value, 'a list of maps')
  return value
}

function checkKeys(raw: Config, known: readonly string[], place: string): void {
  const unknown = Object.keys(raw).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw fault('usage.value', {
      place,
      what: 'the harness knows no such key',
      seen: unknown,
      hint: suggestion(unknown, known),
    })
}

interface Fields {
  text: (key: string, fallback: string) => string
  optionalText: (key: string) => string | undefined
  reference: (key: string) => FunctionReference | undefined
  field: (key: string) => Field | undefined
  record: (key: string) => Config
  count: (key: string) => number | undefined
}

function fields(raw: Config, place: string): Fields {
  const optionalText = (key: string): string | undefined => {
    const value = raw[key] ?? undefined
    if (value === undefined || typeof value === 'string') return value
    if (typeof value === 'number') return String(value)
    throw wrong(place, key, value, 'a text')
  }
  return {
    optionalText,
    text: (key, fallback) => optionalText(key) ?? fallback,
    reference: (key) => {
      const value = raw[key] ?? undefined
      if (value === undefined || isFunctionReference(value)) return value
      throw wrong(place, key, value, '!function module.name')
    },
    field: (key) => (raw[key] ?? undefined) as Field | undefined,
    record: (key) => {
      const value = raw[key] ?? {}
      if (isObject(value)) return value
      throw wrong(place, key, value, 'a map')
    },
    count: (key) => {
      const value = raw[key] ?? undefined
      if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0)) return value
      throw wrong(place, key, value, 'a count')
    },
  }
}

function wrong(place: string, key: string, seen: unknown, wanted: unknown): Error {
  const words = Array.isArray(wanted) ? wanted.map(String) : []
  return fault('usage.value', {
    place: `${place} › ${key}`,
    what: 'not what a task file may say here',
    seen,
    wanted,
    hint: typeof seen === 'string' && words.length > 0 ? suggestion(seen, words) : undefined,
  })
}
