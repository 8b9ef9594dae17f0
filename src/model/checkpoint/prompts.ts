/**
 * Which prompt goes in front of a text, and why: the one the user names, then the one mteb gives the model, then the
 * model's own prompts, in mteb's order.
 */
import { fault, suggestion, type AskingTask, type AskOptions } from '#core'
import { type AdapterChoice, chooseAdapter, taskKeys } from './adapter-choice.ts'
import type { ModelRule } from './model-rules.ts'

export interface PromptChoice {
  /** Prompts by name, from config_sentence_transformers.json. */
  readonly prompts: Readonly<Record<string, string>>
  readonly defaultName: string | undefined
  /** `--prompt`: used for every text. */
  readonly literal?: string | undefined
  /** `--prompt-name`: a key of `prompts`. */
  readonly name?: string | undefined
  /** What mteb does with this model; takes the place of `prompts`. */
  readonly rule?: ModelRule | undefined
  /** Task adapters, each with a prompt of its own. */
  readonly adapters?: AdapterChoice | undefined
}

export interface ChosenPrompt {
  readonly text: string | null
  /** For plans: `--prompt`, `prompt "query" of the model`, `instruction of the task`, `none`. */
  readonly from: string
}

/** The prompt of one call, or null. */
export function choosePrompt(choice: PromptChoice, call: Pick<AskOptions, 'task' | 'promptType'> = {}): string | null {
  return explainPrompt(choice, call).text
}

/**
 * The prompt of one call, with its origin. Order: `--prompt`; `--prompt-name`; the prompt of the task adapter
 * that reads the text; for models that take instructions, the instruction of the task (see `instructed`); otherwise the first key that exists of `<Task>-<query|document>`,
 * `<Task>`, `<Type>-<query|document>`, `<Type>`, `query|document` (mteb 2.26, `get_prompt_name`); for texts without a
 * side, the model's default prompt (sentence-transformers ≥ 5 knows `query` and `document` of every model, so that the
 * default never stands in for them).
 */
export function explainPrompt(
  choice: PromptChoice,
  { task, promptType }: Pick<AskOptions, 'task' | 'promptType'> = {},
): ChosenPrompt {
  const { prompts, defaultName, literal, name, rule, adapters } = choice
  if (literal !== undefined) return chosen(literal, '--prompt')
  if (name !== undefined) return chosen(promptNamed(prompts, name), `--prompt-name ${name}`)
  const adapter = chooseAdapter(adapters, { task, promptType })
  if (adapter !== undefined) return adapterPrompt(choice, adapter)
  if (rule?.kind === 'instructions') return instructed(rule, task, promptType)
  const [known, whose] = rule === undefined ? [prompts, 'the model'] : [rule.prompts, 'the model in mteb']
  const keys = [
    ...taskKeys({ task, promptType }),
    promptType,
    rule?.otherwise,
    promptType === undefined && rule === undefined ? defaultName : undefined,
  ]
  const key = keys.find((candidate) => candidate !== undefined && Object.hasOwn(known, candidate))
  const prompt = key === undefined ? undefined : known[key]
  return typeof prompt === 'string' ? chosen(prompt, `prompt "${key ?? ''}" of ${whose}`) : none
}

const none: ChosenPrompt = { text: null, from: 'none' }

function chosen(text: string | null, from: string): ChosenPrompt {
  return text === null || text === '' ? none : { text, from }
}

/** By the folder's prompts, which its users name by their adapter, or by the instructions of its config. */
function adapterPrompt({ prompts, adapters }: PromptChoice, adapter: string): ChosenPrompt {
  const texts = Object.hasOwn(prompts, adapter) ? prompts : (adapters?.instructions ?? {})
  return chosen(Object.hasOwn(texts, adapter) ? (texts[adapter] ?? null) : null, `prompt of the adapter ${adapter}`)
}

/**
 * mteb 2.26, `AbsEncoder.get_task_instruction`: an instruction from the model's table, for the task, its type or the
 * side, in that order; then the task's own, by side where it has sides; then the sentence of its protocol. The model's
 * template goes around it.
 */
function instructed(rule: ModelRule, task: AskingTask | undefined, promptType: AskOptions['promptType']): ChosenPrompt {
  if (promptType === 'document' && !rule.passages) return none
  const side = promptType ?? 'plain'
  const { text, from } = instructionOf(rule, task, promptType)
  const worded =
    text === ''
      ? (rule.without?.[side] ?? '')
      : (rule.template?.[side] ?? '{instruction}').replaceAll('{instruction}', () => text)
  return chosen(worded, from)
}

function instructionOf(
  { prompts }: ModelRule,
  task: AskingTask | undefined,
  promptType: AskOptions['promptType'],
): { text: string; from: string } {
  const key = [task?.name, task?.type, promptType].find((name) => name !== undefined && Object.hasOwn(prompts, name))
  if (key !== undefined)
    return { text: bySide(prompts[key], promptType), from: `instruction "${key}" of the model in mteb` }
  if (task?.prompt !== undefined) return { text: bySide(task.prompt, promptType), from: 'instruction of the task' }
  return { text: task?.genericPrompt ?? '', from: 'instruction of the type of task' }
}

/** A text that differs by side has none for a side it does not name; texts without a side are asked like queries. */
function bySide(
  text: string | Readonly<Record<string, string>> | undefined,
  promptType: AskOptions['promptType'],
): string {
  if (text === undefined || typeof text === 'string') return text ?? ''
  const side = promptType ?? 'query'
  return Object.hasOwn(text, side) ? (text[side] ?? '') : ''
}

function promptNamed(prompts: Readonly<Record<string, string>>, name: string): string | null {
  const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined
  if (prompt === undefined) {
    const known = Object.keys(prompts)
    throw fault('usage.value', {
      place: '--prompt-name',
      what: 'the model has no prompt of this name',
      seen: name,
      hint: known.length === 0 ? 'this model has no prompts: use --prompt' : suggestion(name, known),
    })
  }
  return prompt === '' ? null : prompt
}
