/** Filters by the names that task files use, and pipelines of them. */
import { fault, suggestion } from '#core'
import type { FilterPipeline } from '../config/task-config.ts'
import type { Doc } from '../doc.ts'
import type { PortFinder } from '../ports/find-port.ts'
import type { Filter, Response } from './filter.ts'
import { formatSpan } from './format-span.ts'
import { multiChoiceRegex } from './multi-choice-regex.ts'
import { regex } from './regex.ts'
import { majorityVote, takeFirst, takeFirstK } from './repeats.ts'
import { lowercase, map, removeWhitespace, uppercase } from './words.ts'

export const filters: Readonly<Record<string, Filter>> = {
  regex,
  multi_choice_regex: multiChoiceRegex,
  remove_whitespace: removeWhitespace,
  lowercase,
  uppercase,
  map,
  format_span: formatSpan,
  take_first: takeFirst,
  take_first_k: takeFirstK,
  majority_vote: majorityVote,
}

export interface RunFilters {
  readonly responses: readonly (readonly string[])[]
  readonly docs: readonly Doc[]
  readonly port: PortFinder
  readonly place: string
}

/**
 * What a pipeline makes of each document's responses, and in how many it found nothing. Throws `usage.value`,
 * `task.unsupported`.
 */
export function runPipeline(
  { name, steps }: FilterPipeline,
  { responses, docs, port, place }: RunFilters,
): { filtered: readonly (readonly Response[] | Response)[]; missed: number } {
  let current: readonly (readonly Response[] | Response)[] = responses
  let missed = 0
  for (const { function: named, options } of steps) {
    const at = `${place} › filter ${name}`
    const called = typeof named === 'string' ? named : named.name
    const filter = typeof named === 'string' ? filterNamed(named, at) : port(named, 'filter').filter
    const unknown = Object.keys(options).find((key) => !filter.options.includes(key))
    if (unknown !== undefined)
      throw fault('usage.value', {
        place: `${at} › ${called}`,
        what: 'the filter has no such option',
        seen: unknown,
        hint: suggestion(unknown, filter.options),
      })
    const result = filter.make(options, `${at} › ${called}`)(current, docs)
    current = result.responses
    missed += result.missed
  }
  return { filtered: current, missed }
}

/** Throws `usage.value`, `task.unsupported`. */
function filterNamed(name: string, place: string): Filter {
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
  if (filter !== undefined) return filter
  throw fault(
    name === 'custom' || name === 'decontaminate' || name === 'regex_pos' ? 'task.unsupported' : 'usage.value',
    {
      place,
      what: 'no such filter here',
      seen: name,
      hint: suggestion(name, Object.keys(filters)),
    },
  )
}

export const filterNames: readonly string[] = Object.keys(filters)

export function isFilter(name: string): boolean {
  return Object.hasOwn(filters, name)
}
