/** Which metrics a task has, how each is aggregated, and which way is better. */
import { fault, suggestion } from '#core'
import { isFunctionReference } from '../config/read-config.ts'
import type { MetricConfig, OutputType, TaskConfig } from '../config/task-config.ts'
import { docText, type DocValue } from '../doc.ts'
import type { PortFinder } from '../ports/find-port.ts'
import { type Aggregation, aggregationNamed } from './aggregations.ts'
import { exactMatch } from '#task/text-metrics'

/** Every metric of the harness with its direction, and its aggregation where the task file names none. */
const usual: Readonly<Record<string, { readonly aggregation: string; readonly higher: boolean }>> = {
  acc: { aggregation: 'mean', higher: true },
  acc_norm: { aggregation: 'mean', higher: true },
  acc_bytes: { aggregation: 'mean', higher: true },
  acc_mutual_info: { aggregation: 'mean', higher: true },
  exact_match: { aggregation: 'mean', higher: true },
  brier_score: { aggregation: 'brier_score', higher: false },
  likelihood: { aggregation: 'mean', higher: true },
  perplexity: { aggregation: 'perplexity', higher: false },
  word_perplexity: { aggregation: 'weighted_perplexity', higher: false },
  byte_perplexity: { aggregation: 'weighted_perplexity', higher: false },
  bits_per_byte: { aggregation: 'bits_per_byte', higher: false },
  f1: { aggregation: 'f1', higher: true },
  mcc: { aggregation: 'matthews_corrcoef', higher: true },
  bleu: { aggregation: 'bleu', higher: true },
  chrf: { aggregation: 'chrf', higher: true },
  'chrf++': { aggregation: 'chrf++', higher: true },
  ter: { aggregation: 'ter', higher: false },
  bypass: { aggregation: 'bypass', higher: true },
}

const defaults: Readonly<Record<OutputType, readonly string[]>> = {
  loglikelihood: ['perplexity', 'acc'],
  loglikelihood_rolling: ['word_perplexity', 'byte_perplexity', 'bits_per_byte'],
  multiple_choice: ['acc', 'acc_norm'],
  generate_until: ['exact_match'],
}

export interface TaskMetric {
  readonly name: string
  readonly aggregation: Aggregation
  readonly higherIsBetter: boolean
  /**
   * Compares a model's text: a number, or a value that the aggregation takes. Absent where items come from the answers
   * themselves.
   */
  readonly compare: ((gold: DocValue, prediction: string) => DocValue) | undefined
}

/** Throws `usage.value` for unknown names, `task.unsupported` for functions without a port. */
export function taskMetrics(config: TaskConfig, port: PortFinder): readonly TaskMetric[] {
  const place = config.task
  const listed =
    config.metrics ??
    defaults[config.outputType].map((metric): MetricConfig => ({
      metric,
      aggregation: undefined,
      higherIsBetter: undefined,
      hfEvaluate: false,
      options: {},
    }))
  return listed.map((metric) => taskMetric(metric, config, port, `${place} › metric_list`))
}

function taskMetric(
  { metric, aggregation, higherIsBetter, options }: MetricConfig,
  config: TaskConfig,
  port: PortFinder,
  place: string,
): TaskMetric {
  const name = typeof metric === 'string' ? metric : metric.name
  const own = Object.hasOwn(usual, name) ? usual[name] : undefined
  const given = isFunctionReference(aggregation)
    ? { run: port(aggregation, 'aggregation').run, error: 'none' as const }
    : aggregation
  const aggregated = given ?? own?.aggregation
  if (aggregated === undefined)
    throw fault('usage.value', {
      place,
      what: 'a metric without an aggregation',
      seen: name,
      hint: suggestion(name, Object.keys(usual)),
    })
  const made = config.processResults !== undefined
  return {
    name,
    aggregation: typeof aggregated === 'string' ? aggregationNamed(aggregated, `${place} › ${name}`) : aggregated,
    higherIsBetter: higherIsBetter ?? own?.higher ?? true,
    compare: made || config.outputType !== 'generate_until' ? undefined : comparison(metric, options, port, place),
  }
}

function comparison(
  metric: MetricConfig['metric'],
  options: MetricConfig['options'],
  port: PortFinder,
  place: string,
): TaskMetric['compare'] {
  if (isFunctionReference(metric)) {
    const { run } = port(metric, 'metric')
    return (gold, prediction) => run(gold, prediction)
  }
  switch (metric) {
    case 'exact_match': {
      const same = exactMatch(options, place)
      return (gold, prediction) => same(docText(gold), prediction)
    }
    case 'bleu':
    case 'chrf':
    case 'chrf++':
    case 'ter':
      return (gold, prediction) => [gold, prediction]
    case 'bypass':
      return () => 0
    default:
      throw fault(Object.hasOwn(usual, metric) || metric === 'rouge' ? 'task.unsupported' : 'usage.value', {
        place,
        what: 'no such metric of texts here',
        seen: metric,
      })
  }
}
