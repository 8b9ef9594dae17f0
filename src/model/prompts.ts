/** Which text goes in front of a text. mteb's order of precedence over the model's own prompts; what the user names beats them all. */
import { fault, suggestion, type EmbedOptions } from '../core/index.ts'

export interface PromptChoice {
  /** Prompts by name, from config_sentence_transformers.json. */
  readonly prompts: Readonly<Record<string, string>>
  readonly defaultName: string | undefined
  /** `--prompt`: used for every text. */
  readonly literal?: string
  /** `--prompt-name`: a key of `prompts`. */
  readonly name?: string
}

/**
 * The prompt of one call, or null.
 * Order: `--prompt`, `--prompt-name`, `<Task>-<query|document>`, `<Task>`, `<Type>-<query|document>`, `<Type>`, `query|document`
 * (mteb 2.26, `get_prompt_name`), then the model's default prompt (sentence-transformers `encode`).
 */
export function choosePrompt(
  { prompts, defaultName, literal, name }: PromptChoice,
  { task, promptType }: Pick<EmbedOptions, 'task' | 'promptType'> = {},
): string | null {
  if (literal !== undefined) return literal === '' ? null : literal
  if (name !== undefined) return promptNamed(prompts, name)
  const keys = [
    task && promptType ? `${task.name}-${promptType}` : undefined,
    task?.name,
    task && promptType ? `${task.type}-${promptType}` : undefined,
    task?.type,
    promptType,
    defaultName,
  ]
  const key = keys.find((candidate) => candidate !== undefined && Object.hasOwn(prompts, candidate))
  const prompt = key === undefined ? undefined : prompts[key]
  return prompt === undefined || prompt === '' ? null : prompt
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
