/** Which of a checkpoint's task adapters reads a text: the one the user names, then the one mteb takes for the task. */
import { fault, suggestion, type AskOptions } from '#core'
import type { TaskAdapters } from '#model/adapters'

export interface AdapterChoice extends Pick<TaskAdapters, 'names' | 'instructions'> {
  /** `--adapter`: used for every text; `none`: the weights without adapters. */
  readonly named: string | undefined
  /** The folder's own for texts that no task asks for. */
  readonly usual: string | undefined
  /** Adapter by task, type or side, as mteb has it for jina-embeddings-v3. */
  readonly byTask: Readonly<Record<string, unknown>>
}

/** The word for the weights without adapters. */
const none = 'none'

/**
 * The choice of a checkpoint, checked. Throws `usage.value` for a name that it does not have, and for any name where it
 * has no adapters.
 */
export function readAdapterChoice(
  adapters: TaskAdapters | undefined,
  { named, usual, byTask }: Pick<AdapterChoice, 'named' | 'usual' | 'byTask'>,
  place: string,
): AdapterChoice | undefined {
  if (adapters === undefined) {
    requireNoAdapter({ adapter: named }, place)
    return undefined
  }
  const { names, instructions } = adapters
  const unknown = [named, usual].find((name) => name !== undefined && name !== none && !names.includes(name))
  if (unknown !== undefined)
    throw fault('usage.value', {
      place: unknown === named ? '--adapter' : `${place} › default_task`,
      what: 'the model has no adapter of this name',
      seen: unknown,
      wanted: [...names, none].join(', '),
      hint: suggestion(unknown, names),
    })
  return { names, instructions, named, usual, byTask }
}

/** Throws `usage.value` where an adapter of a model without any is named. */
export function requireNoAdapter({ adapter }: { readonly adapter?: string | undefined }, place: string): void {
  if (adapter !== undefined && adapter !== none)
    throw fault('usage.value', { place: '--adapter', what: `${place} has no task adapters`, seen: adapter })
}

/** The adapter of one call; undefined: the weights without one. */
export function chooseAdapter(
  choice: AdapterChoice | undefined,
  call: Pick<AskOptions, 'task' | 'promptType'> = {},
): string | undefined {
  if (choice === undefined) return undefined
  const { names, named, usual, byTask } = choice
  if (named !== undefined) return named === none ? undefined : named
  // a side that no task asks for is one of a retrieval
  const sided = call.task === undefined && call.promptType !== undefined ? [`Retrieval-${call.promptType}`] : []
  const key = [...taskKeys(call), ...sided].find((one) => Object.hasOwn(byTask, one))
  const found = names.find((name) => key !== undefined && name === byTask[key])
  return found ?? usual
}

/** Keys under which mteb looks for what a model does about a task, in its order (2.26, `get_prompt_name`). */
export function taskKeys({ task, promptType }: Pick<AskOptions, 'task' | 'promptType'>): string[] {
  if (task === undefined) return []
  const { name, type } = task
  return promptType === undefined ? [name, type] : [`${name}-${promptType}`, name, `${type}-${promptType}`, type]
}
