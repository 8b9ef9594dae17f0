/** Scores of a study in the layout of merginguriel: `results/{type}_{locale}/results.json`, one per model and locale. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '#files/formats'
import { writeWhole } from '#platform/disk'
import type { LocaleRun } from './read-runs.ts'

/** A run with what its file says in addition. */
export interface DescribedRun extends LocaleRun {
  /** The model's config.json; undefined for models that vote, which have no config together. */
  readonly config: Readonly<Record<string, unknown>> | undefined
  /** The first texts of the locale and the numbers of their intents; undefined where the data are not on this machine. */
  readonly texts: readonly LabelledText[] | undefined
  /** Names of the intents, by their numbers. */
  readonly intents: readonly string[]
}

export interface LabelledText {
  readonly text: string
  readonly intent: number
}

/** Number of texts that a file shows. */
export const shownTexts = 10

/** Writes a file per run and returns their paths; existing ones are replaced. Throws `file.write`. */
export async function writeRunFiles(folder: string, runs: readonly DescribedRun[]): Promise<string[]> {
  const paths: string[] = []
  for (const run of runs) {
    const at = join(folder, 'results', `${run.type}_${run.locale}`)
    await mkdir(at, { recursive: true })
    const path = join(at, 'results.json')
    await writeWhole(path, `${fractions(JSON.stringify(runDocument(run), undefined, 2))}\n`)
    paths.push(path)
  }
  return paths
}

/** Where every accuracy is 0 or 1, merginguriel's aggregator fails on whole numbers: Python writes `0.0`. */
function fractions(json: string): string {
  return json.replaceAll(/("(?:accuracy|error_rate)": [01])(?=,?$)/gm, '$1.0')
}

/** Keys in merginguriel's order; unknown values are null. */
function runDocument(run: DescribedRun): object {
  const { config = {} } = run
  const [architecture = null] = Array.isArray(config['architectures']) ? config['architectures'] : []
  const labels = labelsIn(config)
  return {
    evaluation_info: {
      timestamp: run.timestamp,
      model_name: run.model,
      subfolder: run.subfolder,
      locale: run.locale,
      massive_locale: run.locale,
      dataset: 'MASSIVE',
      split: 'test',
    },
    model_info: {
      num_labels: labels?.length ?? null,
      model_type: config['model_type'] ?? null,
      architecture,
      id2label: config['id2label'] ?? null,
      label2id: config['label2id'] ?? null,
    },
    dataset_info: {
      total_examples: run.total,
      unique_intents: labels?.length ?? null,
      intent_labels: labels ?? null,
    },
    performance: {
      accuracy: run.accuracy,
      correct_predictions: run.correct,
      total_predictions: run.total,
      error_rate: run.errorRate,
    },
    examples: run.texts?.slice(0, shownTexts).map((one, at) => example(run, labels, one, at)) ?? null,
  }
}

/** `LABEL_7` is shown as `7`; `predicted_class` is the column of the model's head. */
function example(
  { answers, predicted, intents }: DescribedRun,
  labels: readonly string[] | undefined,
  { text, intent }: LabelledText,
  at: number,
): object {
  const answer = predicted?.[at]
  const column = labels?.findIndex((label) => label === `LABEL_${answer}` || label === intents[answer ?? -1]) ?? -1
  const right = answers?.[at]
  return {
    example_id: at,
    text,
    true_intent: intent,
    predicted_label: labels?.[column]?.replace('LABEL_', '') ?? null,
    predicted_class: column < 0 ? null : column,
    correct: right === undefined ? null : right === 1,
  }
}

/** In the order of their numbers. */
function labelsIn({ id2label: names }: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  return isObject(names) ? Object.keys(names).map((_, number) => String(names[String(number)])) : undefined
}
