/** A text and a schema in, a checked value or a fault with line and column out. */
import type { z } from 'zod'
import { fault, type Fault, type FaultCode, type FaultParts, suggestion } from '#core'
import { locateJson } from './json-places.ts'
import { parseJson } from './json.ts'
import { knownKeys } from './schema-keys.ts'
import { locateYaml, parseYaml } from './yaml.ts'

/**
 * Reads JSON or YAML and checks it. Faults: `format.json`, `format.yaml`, `format.limit` for the text; `code` for the
 * first thing that does not fit the schema, with its place, the value seen and, for an unknown key or word, the nearest
 * known one.
 */
export function parseWith<S extends z.ZodType>(
  schema: S,
  text: string,
  kind: 'json' | 'yaml',
  place: string,
  { code = 'usage.value' }: { code?: FaultCode } = {},
): z.output<S> {
  const value = kind === 'json' ? parseJson(text, place) : parseYaml(text, place)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { issues } = result.error
  // a mistyped key is also a missing one; the typing error is what helps
  const first = issues.find((issue) => issue.code === 'unrecognized_keys') ?? issues[0]!
  const [parts] = flawsOf(first, value, { schema, place, locate: kind === 'json' ? locateJson : locateYaml, text })
  const others = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  throw fault(code, { ...parts!, what: `${parts!.what}${others}` })
}

/**
 * The same with everything that does not fit, each as a fault of its own, and `rest`: what would fit, to be looked at
 * further – the value without the unknown keys and without the top-level entries that are wrong. Throws only what the
 * text itself is refused for.
 */
export function checkYaml<S extends z.ZodType>(
  schema: S,
  text: string,
  place: string,
): { readonly value: z.output<S> } | { readonly flaws: readonly Fault[]; readonly rest: z.output<S> | undefined } {
  const value = parseYaml(text, place)
  const result = schema.safeParse(value)
  if (result.success) return { value: result.data }
  const { issues } = result.error
  const flaws = issues
    .flatMap((issue) => flawsOf(issue, value, { schema, text, place, locate: locateYaml }))
    .map((parts) => fault('usage.value', parts))
  return { flaws, rest: schema.safeParse(without(value, issues.map(innermost))).data }
}

function without(value: unknown, issues: readonly Issue[]): unknown {
  const rest = structuredClone(value)
  for (const issue of issues) {
    const [outer] = issue.path
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) Reflect.deleteProperty(Object(valueAt(rest, issue.path)), key)
    else if (outer !== undefined) Reflect.deleteProperty(Object(rest), outer)
  }
  return rest
}

interface Checked {
  readonly schema: z.ZodType
  readonly text: string
  readonly place: string
  readonly locate: typeof locateYaml
}

/** One per key for unknown keys, otherwise a single one. */
function flawsOf(outer: Issue, value: unknown, { schema, text, place, locate }: Checked): FaultParts[] {
  const issue = innermost(outer)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      place: locate(text, place, [...issue.path, key], true),
      what: `unknown key ${pathText([...issue.path, key])}`,
      hint: suggestion(key, knownKeys(schema, issue.path)),
    }))
  const seen = valueAt(value, issue.path)
  const words = issue.code === 'invalid_value' ? issue.values.map(String) : []
  return [
    {
      place: locate(text, place, issue.path),
      what: `${pathText(issue.path)}: ${issue.message}`,
      seen,
      ...(typeof seen === 'string' && words.length > 0 ? { hint: suggestion(seen, words) } : {}),
    },
  ]
}

type Issue = z.core.$ZodIssue

/** The issue of the branch of a union that matched furthest. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  let best: Issue | undefined
  for (const [branch] of issue.errors) {
    const inner = branch && innermost(branch)
    if (inner && (!best || inner.path.length > best.path.length)) best = inner
  }
  return best && best.path.length > 0 ? { ...best, path: [...issue.path, ...best.path] } : issue
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  )
}

function pathText(path: readonly PropertyKey[]): string {
  return path.length === 0
    ? 'document'
    : path
        .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
        .join('')
        .replace(/^\./, '')
}
