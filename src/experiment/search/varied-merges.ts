/** One recipe at several settings: each is a checkpoint that is never written. */
import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fault, fingerprint } from '#core'
import { isObject, parseYaml } from '#files/formats'
import { writeWhole } from '#platform/disk'
import type { Checkpoint } from './checkpoints.ts'

/** A place in the recipe and its values. */
export interface Variation {
  readonly path: string
  readonly values: readonly number[]
}

/**
 * `models.0.parameters.weight=0:1:0.1,t=0:1:0.25`: from, to, step; or one value. A bare name is one of `parameters`.
 * Throws `usage.value`.
 */
export function parseVariations(text: string): readonly Variation[] {
  return text.split(',').map((part) => {
    const [, path = '', range = ''] = /^\s*([\w.-]+)\s*=\s*(.+?)\s*$/.exec(part) ?? []
    const [from = Number.NaN, to = from, step = 1, ...more] = range
      .split(':')
      .map((one) => (one === '' ? Number.NaN : Number(one)))
    if (path === '' || ![from, to, step].every(Number.isFinite) || step <= 0 || to < from || more.length > 0)
      throw fault('usage.value', {
        place: '--vary',
        what: 'not a range',
        seen: part,
        wanted: 'path=from:to:step, such as models.0.parameters.weight=0:1:0.1',
      })
    // counted rather than summed, and rounded where decimal steps leave a binary remainder
    const count = Math.floor((to - from) / step + 1e-9) + 1
    return { path, values: Array.from({ length: count }, (_, i) => Number((from + i * step).toPrecision(12))) }
  })
}

/**
 * Every combination of the values, as recipes in `folder`; their relative paths are adjusted to mean the same as in the
 * recipe. Throws `file.missing`, and `usage.value` for a path that matches nothing.
 */
export async function variedMerges(
  recipe: string,
  variations: readonly Variation[],
  folder: string,
): Promise<readonly Checkpoint[]> {
  const text = await readFile(recipe, 'utf8').catch((cause: unknown) => {
    throw fault('file.missing', { place: recipe, what: 'the recipe cannot be read', cause })
  })
  const points = variations.reduce<readonly (readonly (readonly [string, number])[])[]>(
    (all, { path, values }) => all.flatMap((point) => values.map((value) => [...point, [path, value] as const])),
    [[]],
  )
  return Promise.all(
    points.map(async (point) => {
      const document = parseYaml(text, recipe)
      for (const [path, value] of point) setAt(document, path, value, recipe)
      const content = `${JSON.stringify(document, undefined, 2)}\n`
      // JSON is YAML
      const file = join(folder, `${basename(recipe, extname(recipe))}-${fingerprint(content).slice(0, 8)}.yml`)
      await writeWhole(file, content)
      return { name: point.map(([path, value]) => `${path}=${value}`).join(','), reference: `merge:${file}` }
    }),
  )
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isObject(value) ? value[name] : undefined
}

function setAt(document: unknown, path: string, value: number, recipe: string): void {
  const parts = path.split('.')
  const names = parts.length === 1 ? ['parameters', ...parts] : parts
  let at: unknown = document
  for (const [depth, name] of names.slice(0, -1).entries()) {
    const next = memberOf(at, name)
    // a model may have no parameters of its own yet
    if (next === undefined && name === 'parameters' && isObject(at)) at = at[name] = {}
    else if (next === undefined || next === null)
      throw fault('usage.value', {
        place: `${recipe} › ${names.slice(0, depth + 1).join('.')}`,
        what: '--vary names no part of the recipe',
        seen: path,
      })
    else at = next
  }
  const last = names.at(-1) ?? ''
  if (!isObject(at))
    throw fault('usage.value', { place: `${recipe} › ${path}`, what: '--vary names no parameter', seen: path })
  at[last] = value
}
