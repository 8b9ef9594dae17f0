/** Prepares a task up to its questions: rows and prompts, without running the model. */
import type { ChatTurn, LanguageModel } from '#core'
import { fieldsOf, loadDocs, portFinder, questionsOf, type TaskNode } from '#task/harness'
import type { OpenDataset } from '#task/rows'
import type { HarnessSettings } from './harness-settings.ts'

export interface PrepareOptions {
  readonly model: LanguageModel
  readonly settings: HarnessSettings
  readonly openDataset: OpenDataset
}

export interface PreparedTask {
  readonly port: ReturnType<typeof portFinder>
  readonly numFewshot: number
  readonly docs: Awaited<ReturnType<typeof loadDocs>>
  readonly fields: ReturnType<typeof fieldsOf>
  readonly questions: ReturnType<typeof questionsOf>['questions']
  readonly mode: ReturnType<typeof questionsOf>['mode']
  /** Number of questions whose own row is among their examples. */
  readonly leaks: number
}

/** Number of examples before a question: a task with 0 keeps it. */
export function countExamples({ config }: TaskNode, { numFewshot }: HarnessSettings): number {
  return config.numFewshot === 0 ? 0 : (numFewshot ?? config.numFewshot ?? 0)
}

/** Throws what loading throws, and a fault for a row that is not a question. */
export async function prepareTask(
  task: TaskNode,
  { model, settings, openDataset }: PrepareOptions,
): Promise<PreparedTask> {
  const { config } = task
  const port = portFinder(task.name)
  const numFewshot = countExamples(task, settings)
  const docs = await loadDocs(config, { openDataset, port, withExamples: numFewshot > 0 })
  const fields = fieldsOf(config, docs.columns, port)
  const chat = settings.applyChatTemplate === true
  const chatPrompt = model.chatPrompt?.bind(model)
  const { questions, mode, leaks } = questionsOf({
    config,
    fields,
    docs,
    rows: rowsAsked(docs.asked.length, settings, task.name),
    settings: {
      numFewshot,
      fewshotSeed: settings.fewshotSeed ?? usualFewshotSeed,
      systemInstruction: settings.systemInstruction,
      chat:
        chat && chatPrompt !== undefined
          ? (turns, how) => withoutSystem(turns, (own) => chatPrompt(own, how))
          : undefined,
      multiturn: settings.fewshotAsMultiturn ?? chat,
    },
  })
  return { port, numFewshot, docs, fields, questions, mode, leaks }
}

/** Number of documents that the settings leave of a task. Throws what loading throws. */
export async function countDocuments(
  task: TaskNode,
  { settings, openDataset }: Omit<PrepareOptions, 'model'>,
): Promise<number> {
  const docs = await loadDocs(task.config, { openDataset, port: portFinder(task.name), withExamples: false })
  return rowsAsked(docs.asked.length, settings, task.name).length
}

/** lm-evaluation-harness's default. */
const usualFewshotSeed = 1234

function rowsAsked(count: number, { limit, samples }: HarnessSettings, task: string): number[] {
  const own = samples?.[task]
  if (own !== undefined) return [...new Set(own)].sort((a, b) => a - b)
  return Array.from({ length: Math.min(count, mostOf(count, limit)) }, (_, i) => i)
}

/** A limit below 1 is a share of the rows. */
function mostOf(count: number, limit: number | undefined): number {
  if (limit === undefined) return count
  return limit < 1 ? Math.ceil(count * limit) : Math.floor(limit)
}

/** A template that rejects a system turn is applied again without it, as in the reference. */
function withoutSystem(turns: readonly ChatTurn[], render: (turns: readonly ChatTurn[]) => string): string {
  try {
    return render(turns)
  } catch (error) {
    const rest = turns.filter(({ role }) => role !== 'system')
    if (rest.length === turns.length) throw error
    return render(rest)
  }
}
