/** Chats to text, as transformers' `apply_chat_template(tokenize=False)` renders them. */
import { Fault, fault, suggestion } from '#core'
import type { ChatMessage, ChatOptions } from './tokenizer.ts'
import {
  charactersOf,
  fromJson,
  globals,
  newBudget,
  parseTemplate,
  run,
  TemplateError,
  type Value,
} from '#platform/jinja'

export interface ChatSource {
  /** For messages. */
  readonly place: string
  readonly templates: Readonly<Record<string, string>>
  readonly special: { readonly values: Readonly<Record<string, string>>; readonly additional: readonly string[] }
}

/** Renders `messages`. Faults: `chat.template`, with the template's own words when it raises. */
export function renderChat(messages: readonly ChatMessage[], options: ChatOptions, source: ChatSource): string {
  const { name, text } = chooseTemplate(options, source)
  const place = `${source.place} › chat template${name === undefined || name === 'default' ? '' : ` ${name}`}`
  try {
    const given = variables(messages, options, source)
    const budget = newBudget([...given.values()].reduce<number>((sum, value) => sum + charactersOf(value), 0))
    return run(parseTemplate(text, 'chat'), new Map([...Object.entries(globals(budget, new Date())), ...given]), budget)
  } catch (error) {
    throw asChatFault(error, place)
  }
}

function variables(
  messages: readonly ChatMessage[],
  options: ChatOptions,
  { special }: ChatSource,
): ReadonlyMap<string, Value> {
  const { addGenerationPrompt = false, tools, documents, variables = {} } = options
  return new Map<string, Value>([
    ...Object.entries(special.values),
    ...(special.additional.length > 0 ? [['additional_special_tokens', fromJson(special.additional)] as const] : []),
    ['messages', fromJson(messages)],
    ['tools', fromJson(tools ?? null)],
    ['documents', fromJson(documents ?? null)],
    ['add_generation_prompt', addGenerationPrompt],
    ...Object.entries(variables).map(([name, value]) => [name, fromJson(value)] as const),
  ])
}

/**
 * The repository's template of that name, or otherwise the text itself; without a name `tool_use` when there are tools,
 * and `default` when not.
 */
function chooseTemplate(
  { template, tools }: ChatOptions,
  { place, templates }: ChatSource,
): { readonly name?: string; readonly text: string } {
  const named = (name: string): string | undefined => (Object.hasOwn(templates, name) ? templates[name] : undefined)
  const names = Object.keys(templates)
  if (template !== undefined) {
    const text = named(template)
    if (text !== undefined) return { name: template, text }
    if (/[{%\s]/.test(template)) return { text: template }
    throw fault('chat.template', {
      place,
      what: 'no such chat template',
      seen: template,
      hint: names.length > 0 ? suggestion(template, names) : 'the repository has none',
    })
  }
  const name = tools !== undefined && named('tool_use') !== undefined ? 'tool_use' : 'default'
  const text = named(name)
  if (text !== undefined) return { name, text }
  const what =
    names.length === 0 ? 'the tokenizer has no chat template' : 'several chat templates, and none is the default'
  throw fault('chat.template', {
    place,
    what,
    ...(names.length > 0 && { seen: names }),
    hint: 'name a template, or pass its text',
  })
}

function asChatFault(error: unknown, place: string): Fault {
  if (error instanceof Fault) return error
  const other = error instanceof RangeError ? 'nests too deep' : String(error)
  const what = error instanceof TemplateError ? error.message : other
  return fault('chat.template', { place, what, cause: error })
}
