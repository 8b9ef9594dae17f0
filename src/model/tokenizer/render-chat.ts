/** Chats to text, as transformers' `apply_chat_template(tokenize=False)` renders them. */
import { parse, tokenize } from '@huggingface/jinja'
import { Fault, fault, suggestion } from '#core'
import type { ChatMessage, ChatOptions } from './tokenizer.ts'
import { newBudget, run, globals, type Program, charactersOf, fromJson, TemplateError, type Value } from '#platform/jinja'

export interface ChatSource {
  /** For messages. */
  readonly place: string
  readonly templates: Readonly<Record<string, string>>
  readonly special: { readonly values: Readonly<Record<string, string>>; readonly additional: readonly string[] }
}

/** The longest published templates have some 20,000 characters. */
const longestTemplate = 1_000_000
/** The parser's search for tags is quadratic in runs of spaces. */
const longestRun = 2_000

/** Renders `messages`. Faults: `chat.template`, with the template's own words when it raises. */
export function renderChat(messages: readonly ChatMessage[], options: ChatOptions, source: ChatSource): string {
  const { name, text } = chooseTemplate(options, source)
  const place = `${source.place} › chat template${name === undefined || name === 'default' ? '' : ` ${name}`}`
  try {
    const given = variables(messages, options, source)
    const budget = newBudget([...given.values()].reduce<number>((sum, value) => sum + charactersOf(value), 0))
    return run(parseTemplate(text), new Map([...Object.entries(globals(budget, new Date())), ...given]), budget)
  } catch (error) {
    throw asChatFault(error, place)
  }
}

function variables(messages: readonly ChatMessage[], options: ChatOptions, { special }: ChatSource): ReadonlyMap<string, Value> {
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

/** A name of the repository's templates, else the text itself; without one `tool_use` when there are tools, else `default`. */
function chooseTemplate({ template, tools }: ChatOptions, { place, templates }: ChatSource): { readonly name?: string; readonly text: string } {
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
  const what = names.length === 0 ? 'the tokenizer has no chat template' : 'several chat templates, and none is the default'
  throw fault('chat.template', { place, what, ...(names.length > 0 && { seen: names }), hint: 'name a template, or pass its text' })
}

function parseTemplate(text: string): Program {
  if (text.length > longestTemplate || new RegExp(`\\s{${longestRun}}`).test(text))
    throw new TemplateError('the template is too long, or has too long a run of spaces')
  try {
    return parse(tokenize(text, { trim_blocks: true, lstrip_blocks: true })) as Program
  } catch (error) {
    const said = error instanceof SyntaxError ? error.message : 'it ends too early, or nests too deep'
    throw new TemplateError(`not a template this program can read: ${said}`)
  }
}

function asChatFault(error: unknown, place: string): Fault {
  if (error instanceof Fault) return error
  const what = error instanceof TemplateError ? error.message : error instanceof RangeError ? 'nests too deep' : String(error)
  return fault('chat.template', { place, what, cause: error })
}
