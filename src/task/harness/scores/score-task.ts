/** Answers to a task's numbers: filters, items of every document, aggregation, errors. */
import { compensatedMean, fault } from '#core'
import type { TaskConfig } from '../config/task-config.ts'
import { type Doc, docText, type DocValue } from '../doc.ts'
import type { Response } from '../filters/filter.ts'
import { runPipeline } from '../filters/table.ts'
import type { PortFinder } from '../ports/find-port.ts'
import type { Answer, Item } from '../ports/port.ts'
import type { Fields } from '../prompts/fields.ts'
import type { Question, TaskMode } from '../prompts/requests.ts'
import type { MetricValues } from './groups.ts'
import { choiceItems, continuationItems, rollingItems } from './items.ts'
import { standardError } from './standard-error.ts'
import type { TaskMetric } from './task-metrics.ts'

/** What the model answered to one question. */
export type Answered =
  | { readonly kind: 'loglikelihood'; readonly scores: readonly (readonly [number, boolean])[] }
  | { readonly kind: 'loglikelihood_rolling'; readonly score: number }
  /** One text a repeat. */
  | { readonly kind: 'generate_until'; readonly texts: readonly string[] }

export interface ScoreTaskOptions {
  readonly config: TaskConfig
  readonly fields: Fields
  readonly mode: TaskMode
  readonly metrics: readonly TaskMetric[]
  readonly questions: readonly Question[]
  /** In the order of the questions. */
  readonly answers: readonly Answered[]
  readonly port: PortFinder
  /** Draws of the bootstrapped errors; default 100,000. */
  readonly bootstrapIterations?: number | undefined
}

/** A document through one filter pipeline. */
export interface ScoredDoc {
  readonly question: Question
  readonly filter: string
  readonly target: DocValue
  readonly filtered: readonly (Response | readonly Response[] | readonly [number, boolean] | number)[]
  readonly items: Readonly<Record<string, Item>>
}

export interface TaskScores {
  /** `metric,filter` and `metric_stderr,filter`. */
  readonly values: MetricValues
  readonly docs: readonly ScoredDoc[]
  /** Documents behind the numbers: of the metric that has most. */
  readonly size: number
  /** Documents whose gold is none of their choices; they count as wrong. */
  readonly invalidGolds: number
  /** Responses in which a filter found nothing, by pipeline. */
  readonly missed: Readonly<Record<string, number>>
  /** What a person should know. */
  readonly notes: readonly string[]
}

export function scoreTask(options: ScoreTaskOptions): TaskScores {
  const { config, questions, answers, port } = options
  const docs: ScoredDoc[] = []
  const missed: Record<string, number> = {}
  const invalid = new Set<number>()
  for (const pipeline of config.filters) {
    const written = answers.map((answer) => (answer.kind === 'generate_until' ? answer.texts : []))
    const filtered =
      config.outputType === 'generate_until'
        ? runPipeline(pipeline, { responses: written, docs: questions.map(({ doc }) => doc), port, place: config.task })
        : { filtered: [], missed: 0 }
    if (filtered.missed > 0) missed[pipeline.name] = filtered.missed
    questions.forEach((question, i) => {
      const answer = answers[i]
      if (answer === undefined)
        throw fault('internal', { place: config.task, what: 'a question without an answer', seen: question.docId })
      const own = resultsOf(answer, filtered.filtered[i])
      const { items, invalidGold } = itemsOf(question.doc, own, options)
      if (invalidGold) invalid.add(question.docId)
      docs.push({ question, filter: pipeline.name, target: options.fields.target(question.doc), filtered: own, items })
    })
  }
  const { values, size, notes } = aggregated(docs, options)
  return { values, docs, size, invalidGolds: invalid.size, missed, notes }
}

/** What the metrics see of an answer. */
function resultsOf(answer: Answered, filtered: Response | readonly Response[] | undefined): readonly Answer[] {
  switch (answer.kind) {
    case 'loglikelihood':
      return answer.scores
    case 'loglikelihood_rolling':
      return [answer.score]
    case 'generate_until':
      return [(filtered ?? '') as Answer]
    default:
      return answer satisfies never
  }
}

interface DocItems {
  readonly items: Readonly<Record<string, Item>>
  readonly invalidGold: boolean
}

function itemsOf(
  doc: Doc,
  results: readonly Answer[],
  { config, fields, mode, metrics, port }: ScoreTaskOptions,
): DocItems {
  if (config.processResults !== undefined)
    return { items: port(config.processResults, 'results').run(doc, results), invalidGold: false }
  const names = new Set(metrics.map(({ name }) => name))
  switch (config.outputType) {
    case 'loglikelihood':
      return { items: continuationItems(results[0] as readonly [number, boolean], names), invalidGold: false }
    case 'loglikelihood_rolling':
      return { items: rollingItems(Number(results[0]), docText(fields.target(doc)), names), invalidGold: false }
    case 'multiple_choice':
      return choiceItems({
        answers: results as readonly (readonly [number, boolean])[],
        choices: fields.choices(doc),
        gold: mode.multipleInput ? fields.text(doc) : fields.target(doc),
        multipleTarget: mode.multipleTarget,
        metrics: names,
      })
    case 'generate_until':
      return { items: writtenItems(doc, results[0] ?? '', { config, fields, mode, metrics }), invalidGold: false }
    default:
      return config.outputType satisfies never
  }
}

function writtenItems(
  doc: Doc,
  result: Answer,
  { config, fields, mode, metrics }: Pick<ScoreTaskOptions, 'config' | 'fields' | 'mode' | 'metrics'>,
): Readonly<Record<string, Item>> {
  const target = fields.target(doc)
  const gold = fields.hasChoices ? (fields.choices(doc).at(Number(target)) ?? '') : target
  // a pipeline that ends in several repeats is compared by its first, as NumPy's mean over unequal shapes is none
  const prediction = String([result].flat()[0] ?? '')
  const items: Record<string, Item> = {}
  for (const { name, compare } of metrics) {
    if (compare === undefined)
      throw fault('internal', { place: config.task, what: 'a metric of texts compares nothing', seen: name })
    if (!mode.multipleTarget) items[name] = compare(asText(gold), prediction)
    else {
      // any that is right will do, whatever the metric (the reference's rule)
      const golds = Array.isArray(gold) ? gold : [gold]
      items[name] = golds.some((one) => Number(compare(asText(one as DocValue), prediction)) > 0) ? 1 : 0
    }
  }
  return items
}

/** As Python's `str` of a number or truth value. */
function asText(gold: DocValue): DocValue {
  if (typeof gold === 'boolean') return gold ? 'True' : 'False'
  if (typeof gold === 'object' && gold !== null && 'kind' in gold && typeof gold['value'] === 'number')
    return gold['value'].toFixed(1)
  return typeof gold === 'number' ? String(gold) : gold
}

/** Draws for metrics that look at whole corpora: the reference's cap. */
const fewDraws = 100
const corpusMetrics = ['bleu', 'chrf', 'chrf++', 'ter']
const usualDraws = 100_000

function aggregated(
  docs: readonly ScoredDoc[],
  { metrics, bootstrapIterations = usualDraws }: ScoreTaskOptions,
): Pick<TaskScores, 'values' | 'size' | 'notes'> {
  const lists = new Map<string, { metric: string; filter: string; items: Item[] }>()
  for (const { filter, items } of docs)
    for (const [metric, item] of Object.entries(items)) {
      const key = `${metric},${filter}`
      const known = lists.get(key) ?? { metric, filter, items: [] }
      lists.set(key, known)
      known.items.push(item)
    }
  const values: Record<string, number | 'N/A'> = {}
  const notes: string[] = []
  for (const [key, { metric, filter, items }] of lists) {
    const known = metrics.find(({ name }) => name === metric)?.aggregation
    if (known === undefined) notes.push(`${metric}: the task names no aggregation for it; its mean is shown`)
    const aggregation = known ?? {
      run: (own: readonly Item[]) => compensatedMean(own.map(Number)),
      error: 'mean' as const,
    }
    values[key] = aggregation.run(items)
    values[`${metric}_stderr,${filter}`] =
      standardError(
        items,
        aggregation,
        corpusMetrics.includes(metric) ? Math.min(fewDraws, bootstrapIterations) : bootstrapIterations,
      ) ?? 'N/A'
  }
  const sizes = [...lists.values()].map(({ items }) => items.length)
  if (new Set(sizes).size > 1) notes.push('metrics were scored on different numbers of documents')
  return { values, size: Math.max(0, ...sizes), notes }
}
