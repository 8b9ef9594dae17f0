/**
 * Every question of a task as requests to a language model: prompts with their examples, and the questions after them.
 */
import { fault, type ChatTurn, type Continuation } from '#core'
import type { OutputType, TaskConfig } from '../config/task-config.ts'
import { type Doc, docText, type DocValue } from '../doc.ts'
import type { LoadedDocs } from '../load-docs.ts'
import { type Fields } from './fields.ts'
import { fewShotSampler } from './few-shot.ts'
import { asChat, asText, joinDelimited, questionTurns, type Turn } from './messages.ts'

/** How prompts are put together; all of it can move a score. */
export interface PromptSettings {
  readonly numFewshot: number
  readonly fewshotSeed: number
  readonly systemInstruction: string | undefined
  /** Renders a chat; absent: prompts are plain text. `continueLast`: the last turn is an answer to continue. */
  readonly chat: ((turns: readonly ChatTurn[], options: { readonly continueLast: boolean }) => string) | undefined
  readonly multiturn: boolean
}

/** The requests to the model about one row. */
export type ModelRequest =
  | { readonly kind: 'loglikelihood'; readonly requests: readonly Continuation[] }
  | { readonly kind: 'loglikelihood_rolling'; readonly text: string }
  | { readonly kind: 'generate_until'; readonly prompt: string }

export interface Question {
  /** Place of the row in the split, after `process_docs`. */
  readonly docId: number
  readonly doc: Doc
  readonly asked: ModelRequest
}

/**
 * What the first row says of all (as the reference decides it once): whether questions or targets are several texts.
 */
export interface TaskMode {
  readonly multipleInput: boolean
  readonly multipleTarget: boolean
}

export function taskMode(fields: Fields, first: Doc): TaskMode {
  return {
    multipleInput: fields.hasChoices && typeof fields.text(first) === 'number',
    multipleTarget: Array.isArray(fields.target(first)),
  }
}

export interface QuestionsOptions {
  readonly config: TaskConfig
  readonly fields: Fields
  /** The same fields as they are read for examples. */
  readonly docs: LoadedDocs
  /** Places of the rows to ask, ascending. */
  readonly rows: readonly number[]
  readonly settings: PromptSettings
}

export interface Questions {
  readonly questions: readonly Question[]
  readonly mode: TaskMode
  /** Questions that had their own row among the examples. */
  readonly leaks: number
}

/** Throws `task.value`, `usage.value`, `task.empty`. */
export function questionsOf({ config, fields, docs, rows, settings }: QuestionsOptions): Questions {
  const place = config.task
  const [first] = docs.asked
  if (first === undefined || rows.length === 0) throw fault('task.empty', { place, what: 'no row is asked' })
  const mode = taskMode(fields, first)
  const sampler = fewShotSampler(settings.numFewshot > 0 ? docs.examples() : [], {
    count: settings.numFewshot,
    sampler: config.fewshot.sampler,
    seed: settings.fewshotSeed,
    excludeAsked: config.fewshot.split === config.testSplit,
    place,
  })
  const questions = rows.map((docId): Question => {
    const doc = docs.asked[docId]
    if (doc === undefined)
      throw fault('usage.value', {
        place: `${place} › --samples`,
        what: 'the split has no such row',
        seen: docId,
        wanted: `0 … ${docs.asked.length - 1}`,
      })
    const contexts = contextsOf(doc, { config, fields, mode, settings, examples: sampler.next(doc) })
    return { docId, doc, asked: askedOf(doc, contexts, { config, fields, mode, chat: settings.chat !== undefined }) }
  })
  return { questions, mode, leaks: sampler.leaks() }
}

interface Context {
  readonly config: TaskConfig
  readonly fields: Fields
  readonly mode: TaskMode
  readonly settings: PromptSettings
  readonly examples: readonly Doc[]
}

/** One prompt; for several inputs, one for each choice. */
function contextsOf(doc: Doc, { config, fields, mode, settings, examples }: Context): string[] {
  const place = config.task
  const prefix = fields.prefix(doc, config.genPrefix)
  const system = joinDelimited(settings.systemInstruction, fields.description(doc), config.fewshotDelimiter)
  const { fewshot } = config
  const before: Turn[] = system === '' ? [] : [{ role: 'system', content: system, delimiter: '' }]
  for (const example of examples) {
    const choices = fewshot.docToChoice === undefined ? undefined : fields.choices(example, fewshot.docToChoice)
    const text = fields.text(example, fewshot.docToText)
    before.push(
      ...questionTurns({
        question: mode.multipleInput ? (choices?.[Number(text)] ?? '') : plain(text, place),
        choices: mode.multipleInput ? undefined : choices,
        answer: fields.target(example, fewshot.docToTarget),
        prefix: fields.prefix(example, fewshot.genPrefix),
        targetDelimiter: fewshot.targetDelimiter,
        delimiter: fewshot.fewshotDelimiter,
        place,
      }),
    )
  }
  const finish = (question: string, targetDelimiter: string): string => {
    const turns = [...before, ...questionTurns({ question, prefix, targetDelimiter, delimiter: '', place })]
    if (settings.chat === undefined) return asText(turns)
    return settings.chat(asChat(turns, { multiturn: settings.multiturn }), {
      continueLast: prefix !== undefined && prefix !== '',
    })
  }
  if (mode.multipleInput) return fields.choices(doc).map((choice) => finish(choice, ''))
  return [finish(plain(fields.text(doc), place), config.targetDelimiter)]
}

function plain(text: string | number, place: string): string {
  if (typeof text === 'string') return text
  throw fault('task.value', {
    place: `${place} › doc_to_text`,
    what: 'the question of a row is not a text',
    seen: text,
  })
}

interface AskedOptions {
  readonly config: TaskConfig
  readonly fields: Fields
  readonly mode: TaskMode
  readonly chat: boolean
}

function askedOf(doc: Doc, contexts: readonly string[], { config, fields, mode, chat }: AskedOptions): ModelRequest {
  const [context = ''] = contexts
  const { outputType } = config
  switch (outputType) {
    case 'loglikelihood':
      return { kind: outputType, requests: [{ context, continuation: targetText(fields.target(doc), config) }] }
    case 'loglikelihood_rolling':
      return { kind: outputType, text: targetText(fields.target(doc), config) }
    case 'generate_until':
      return { kind: outputType, prompt: context }
    case 'multiple_choice': {
      const choices = fields.choices(doc)
      const delimiter =
        chat && !(config.genPrefix !== undefined && config.genPrefix !== '' && !/\s$/u.test(config.genPrefix))
          ? ''
          : config.targetDelimiter
      const requests = mode.multipleInput
        ? contexts.map((own) => ({ context: own, continuation: delimiter + docText(fields.target(doc)) }))
        : choices.map((choice) => ({ context, continuation: delimiter + choice }))
      const alone = isMutual(config) ? choices.map((choice) => ({ context: '', continuation: delimiter + choice })) : []
      return { kind: 'loglikelihood', requests: [...requests, ...alone] }
    }
    default:
      return outputType satisfies never
  }
}

/** Whether the choices are asked without their question as well. */
export function isMutual({
  metrics,
  outputType,
}: {
  readonly metrics: TaskConfig['metrics']
  readonly outputType: OutputType
}): boolean {
  return outputType === 'multiple_choice' && metrics?.some(({ metric }) => metric === 'acc_mutual_info') === true
}

function targetText(target: DocValue, { task }: TaskConfig): string {
  if (typeof target === 'string') return target
  throw fault('task.value', {
    place: `${task} › doc_to_target`,
    what: 'the target of a row is not a text',
    seen: target,
  })
}
