/** A text and a schema in, a checked value or a fault with line and column out. */
import type { z } from 'zod'
import { fault, suggestion, type FaultCode } from '#core'
import { parseJson } from './json.ts'
import { knownKeys } from './schema-keys.ts'
import { locateYaml, parseYaml } from './yaml.ts'

/**
 * Reads JSON or YAML and checks it. Faults: `format.json`, `format.yaml`, `format.limit` for the text; `code` for the first thing that does not fit the schema,
 * with its place, the value seen and, for an unknown key or word, the nearest known one.
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
  const [first, ...more] = result.error.issues
  // a mistyped key is also a missing one; the typing error is what helps
  const issue = innermost(result.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? first!)
  const where = locateYaml(
    text,
    place,
    issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path,
    issue.code === 'unrecognized_keys',
  )
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? ''
    throw fault(code, { place: where, what: `unknown key ${pathText([...issue.path, key])}${others}`, hint: suggestion(key, knownKeys(schema, issue.path)) })
  }
  const seen = valueAt(value, issue.path)
  const words = issue.code === 'invalid_value' ? issue.values.map(String) : []
  throw fault(code, {
    place: where,
    what: `${pathText(issue.path)}: ${issue.message}${others}`,
    seen,
    ...(typeof seen === 'string' && words.length > 0 ? { hint: suggestion(seen, words) } : {}),
  })
}

type Issue = z.core.$ZodIssue

/** Of a union's branches, the one that got furthest says what is wrong. */
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
    (inner, key) => (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Record<PropertyKey, unknown>)[key] : undefined),
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
