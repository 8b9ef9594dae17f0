/** Similarity of models by their task vectors: what each changed about a common ancestor. */
import { compareCodePoints, fingerprint, type ModelHeaders } from '#core'
import { readConfig, resolveModel } from '#experiment/open'
import { taskVectorCosines } from '#model/merge'
import { openPairs } from './pair-values.ts'
import { eachModel, type ModelTable, type ModelTableOptions, chooseRows, toTable } from './model-table.ts'

/** Raised when a change of the arithmetic moves numbers. */
const arithmetic = 'task vectors 1'

export interface TaskVectorTableOptions extends ModelTableOptions {
  /** Reference of the common ancestor. */
  readonly base: string
}

/**
 * Cosines of model − base between the targets' models and all models, over all tensors but the heads. `models`:
 * references by name. Pairs are kept under the hashes of the weights of both and of the base, and are not computed
 * again. Throws what opening the base throws, `usage.value` for a target without a model, and what `taskVectorCosines`
 * throws for models that do not fit the base.
 */
export async function taskVectorTable(
  models: ReadonlyMap<string, string>,
  options: TaskVectorTableOptions,
): Promise<ModelTable> {
  const { base: baseReference, targets, cache, onMissing, signal, onProgress } = options
  const kept = await openPairs(cache, 'task-vectors')
  const opened: ModelHeaders[] = []
  const opening = async (reference: string): Promise<ModelHeaders> => {
    const headers = await openHeaders(reference, { signal, onProgress })
    opened.push(headers)
    return headers
  }
  try {
    const base = await opening(baseReference)
    const found = await eachModel(models, { targets, signal, onMissing }, opening)
    const names = [...found.keys()]
    const rows = chooseRows(options, names)
    const origin = await readKey(base)
    const keys = new Map<string, string>()
    for (const [name, headers] of found) keys.set(name, await readKey(headers))
    const pairKey = (one: string, other: string): string =>
      fingerprint([arithmetic, origin, ...[keys.get(one) ?? '', keys.get(other) ?? ''].toSorted(compareCodePoints)])
    const isUnknown = (one: string, other: string): boolean =>
      one !== other && kept.of(pairKey(one, other)) === undefined
    const open = rows.filter((row) => names.some((name) => isUnknown(row, name)))
    const chosen = names.filter((name) => open.some((row) => row === name || isUnknown(row, name)))
    const cosines = await taskVectorCosines(
      chosen.flatMap((name) => found.get(name) ?? []),
      base,
      { rows: open.map((row) => chosen.indexOf(row)), signal, onProgress },
    )
    for (const row of open)
      for (const [j, name] of chosen.entries())
        if (isUnknown(row, name))
          await kept.add(pairKey(row, name), cosines[chosen.indexOf(row) * chosen.length + j] ?? NaN)
    return toTable(rows, names, (target, source) => kept.of(pairKey(target, source)) ?? NaN)
  } finally {
    for (const { tensors } of opened) await tensors.close()
  }
}

async function openHeaders(
  model: string,
  call: Pick<TaskVectorTableOptions, 'signal' | 'onProgress'>,
): Promise<ModelHeaders> {
  const { body, tensors } = await resolveModel(model, call)
  try {
    return { model, tensors, config: await readConfig(body) }
  } catch (error) {
    await tensors.close()
    throw error
  }
}

/** The config says which tensors are a head. */
async function readKey({ tensors, config }: ModelHeaders): Promise<string> {
  return fingerprint([await tensors.identity(), config])
}
