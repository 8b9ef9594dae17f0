/** The metrics in a file, as features of arms. */
import { readFile } from 'node:fs/promises'
import { isObject, parsePythonJson } from '#files/formats'
import { readColumns } from '#files/tables'
import { metricNumber } from './metric-number.ts'

/** A metric as feature of an arm: its name, and the scaling to use where it has several. */
export interface Feature {
  readonly name: string
  /** Its name in the published rows. */
  readonly recorded: string
  readonly scaling: string
}

/** The context that was found to separate good layers from bad ones. */
export const defaultFeatures: readonly Feature[] = [
  { name: 'sentence_entropy', recorded: 'entropy_sentence', scaling: 'logNlogD' },
  { name: 'dataset_entropy', recorded: 'entropy_dataset', scaling: 'logNlogD' },
  { name: 'lidar', recorded: 'lidar', scaling: 'logNlogD' },
  { name: 'dime', recorded: 'dime', scaling: 'logNlogD' },
]

/** The usual context where the file has all of it; otherwise every metric of the file. */
export function contextFeatures(documents: readonly Record<string, unknown>[]): readonly Feature[] {
  const found = featuresIn(documents)
  const usual = defaultFeatures.every(({ name }) => found.some((feature) => feature.name === name))
  return usual || found.length === 0 ? defaultFeatures : found
}

/** Rows or documents, as they appear in the file. */
export async function metricDocuments(path: string): Promise<Record<string, unknown>[]> {
  const lines = path.endsWith('.json') ? [parsePythonJson(await readFile(path, 'utf8'), path)] : await objectsOf(path)
  return lines.filter(isObject)
}

async function objectsOf(path: string): Promise<unknown[]> {
  const { rows, columns: read } = await readColumns([path])
  return Array.from({ length: rows }, (_, i) =>
    Object.fromEntries(Object.entries(read).map(([name, values]) => [name, values[i]])),
  )
}

/** The scaling that arms use, where the metric has it. */
function scalingIn(values: unknown): string {
  const names = isObject(values) ? Object.keys(values) : []
  return names.find((name) => name === 'logNlogD') ?? names[0] ?? 'logNlogD'
}

/** Every metric of a file, in its order. */
export function featuresIn(documents: readonly Record<string, unknown>[]): Feature[] {
  const named = new Map<string, Feature>()
  for (const { layers, metric, values } of documents) {
    if (typeof metric === 'string' && !named.has(metric)) {
      const known = defaultFeatures.find(({ recorded }) => recorded === metric)
      named.set(metric, known ?? { name: metric, recorded: metric, scaling: scalingIn(values) })
    }
    if (!isObject(layers)) continue
    for (const metrics of Object.values(layers))
      if (isObject(metrics))
        for (const [name, value] of Object.entries(metrics))
          if (metricNumber(value) !== undefined && !named.has(name))
            named.set(name, { name, recorded: name, scaling: 'logNlogD' })
  }
  return [...named.values()]
}
