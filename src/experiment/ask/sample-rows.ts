/** Documents as lm-evaluation-harness logs them: one line per document and filter (`--log_samples`). */
import { sha256 } from '#core'
import { pythonJson, pythonText } from '#platform/jinja'
import type { Answered, DocValue, Question, ScoredDoc } from '#task/harness'
import type { TaskRun } from './run-harness.ts'

export type SampleRow = Readonly<Record<string, unknown>> & QuestionHashes

/** Rows of a task, filter by filter. Hashes in the file are those of the reference. */
export function sampleRows({ questions, asked, scores, generation }: TaskRun): SampleRow[] {
  const places = new Map(questions.map((question, i) => [question, i]))
  return scores.docs.map(({ question, filter, target, filtered, items }): SampleRow => {
    const answer = asked.answers[places.get(question) ?? -1]
    const args = argumentsOf(question, generation)
    return {
      doc_id: question.docId,
      doc: plain(question.doc),
      target: pythonText(target),
      arguments: Object.fromEntries(
        args.map((own, i) => [`gen_args_${i}`, Object.fromEntries(own.map((value, j) => [`arg_${j}`, plain(value)]))]),
      ),
      resps: answer === undefined ? [] : responsesOf(answer),
      filtered_resps: filtered.map(texts),
      filter,
      metrics: Object.keys(items),
      ...questionHashes(question, target),
      ...(plain(items) as Record<string, unknown>),
    }
  })
}

export interface QuestionHashes {
  readonly doc_hash: string
  readonly prompt_hash: string
  readonly target_hash: string
}

/** Hashes of the document, the first prompt and the target, as the reference computes them. */
export function questionHashes(question: Question, target: DocValue): QuestionHashes {
  return {
    doc_hash: sha256(pythonJson(question.doc)),
    prompt_hash: sha256(pythonText(argumentsOf(question, {})[0]?.[0] ?? '')),
    target_hash: sha256(pythonText(target)),
  }
}

/** A hash of all documents, prompts and targets of a task. */
export function taskHash(rows: readonly SampleRow[]): string {
  return sha256(
    rows.map(({ doc_hash: doc, prompt_hash: prompt, target_hash: target }) => `${doc}${prompt}${target}`).join(''),
  )
}

function argumentsOf({ asked }: Question, generation: Readonly<Record<string, unknown>>): (readonly unknown[])[] {
  switch (asked.kind) {
    case 'loglikelihood':
      return asked.requests.map(({ context, continuation }) => [context, continuation])
    case 'loglikelihood_rolling':
      return [[asked.text]]
    case 'generate_until':
      return [[asked.prompt, generation]]
    default:
      return asked satisfies never
  }
}

/** One list per request, as the reference logs them. */
function responsesOf(answer: Answered): unknown[] {
  switch (answer.kind) {
    case 'loglikelihood':
      return answer.scores.map((score) => [texts(score)])
    case 'loglikelihood_rolling':
      return [[texts(answer.score)]]
    case 'generate_until':
      return [[...answer.texts]]
    default:
      return answer satisfies never
  }
}

/** Converts every value inside as Python's `str` does. */
function texts(value: ScoredDoc['filtered'][number] | number): unknown {
  return Array.isArray(value) ? value.map(texts) : pythonText(value)
}

/** Floats that were distinguished from integers, as JSON numbers; missing fields are left out. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  if ('kind' in value && value.kind === 'float' && 'value' in value) return value.value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, own]) => (own === undefined ? [] : [[key, plain(own)]])),
  )
}
