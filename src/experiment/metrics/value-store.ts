/**
 * Cache of metric values by content, like vectors: one small file per metric, layer and everything that can move it.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprint } from '#core'
import { isObject, parseJson } from '#files/formats'
import { makeFolder, writeWhole } from '#platform/disk'
import type { LayerValue } from './layer-value.ts'

/** Raised when the arithmetic of a metric changes. */
const arithmetic = 1

export interface ValueStore {
  /** Metrics for which every one of the representations has a value, or is known to have none. */
  read(
    metrics: readonly { readonly name: string }[],
    representations: readonly string[],
  ): Promise<Map<string, (LayerValue | undefined)[]>>
  /** One list per metric, in the order of the representations last read. */
  write(values: ReadonlyMap<string, readonly (LayerValue | undefined)[]>): Promise<void>
}

/**
 * `keyOf(metric)`: everything except the representation that its values depend on. Without a folder nothing is found
 * and nothing stored. A file that cannot be read counts as absent.
 */
export function openValues(folder: string | undefined, keyOf: (metric: string) => object): ValueStore {
  let asked: readonly string[] = []
  const pathOf = (root: string, metric: string): string =>
    join(root, `${fingerprint({ arithmetic, ...keyOf(metric), representations: asked })}.json`)
  return {
    async read(metrics, representations) {
      asked = representations
      const found = new Map<string, (LayerValue | undefined)[]>()
      if (folder === undefined) return found
      for (const { name } of metrics) {
        const values = await readList(pathOf(folder, name))
        if (values?.length === representations.length) found.set(name, values)
      }
      return found
    },
    async write(values) {
      if (folder === undefined || values.size === 0) return
      await makeFolder(folder)
      for (const [metric, list] of values)
        await writeWhole(
          pathOf(folder, metric),
          `${JSON.stringify({ metric, values: list.map((value) => value ?? null) }, finiteOrName)}\n`,
        )
    },
  }
}

/** JSON has no infinities and no NaN. */
function finiteOrName(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value
}

async function readList(path: string): Promise<(LayerValue | undefined)[] | undefined> {
  try {
    const document = parseJson(await readFile(path, 'utf8'), path)
    const values = isObject(document) && Array.isArray(document['values']) ? document['values'] : undefined
    return values?.map((value) => (value === null ? undefined : (revived(value) as LayerValue)))
  } catch {
    return undefined
  }
}

function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived)
  if (!isObject(value)) return value
  const { number } = value
  if (typeof number === 'string' && Object.keys(value).length === 1) return Number(number)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revived(inner)]))
}
