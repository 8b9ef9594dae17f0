/** A merge as a tensor source: tensors are computed when they are asked for, and nothing is written. */
import {
  dtypeBytes,
  elementCount,
  fault,
  fingerprint,
  keyName,
  sha256,
  type TensorInfo,
  type TensorSource,
} from '#core'
import { roleByName } from '#model/architectures'
import { mergeMethodNamed } from '#model/merge-methods'
import type { MergePlan } from '../plan/plan.ts'
import { sourceReader } from './source-reader.ts'
import { mergeTensor, type RunPlan } from './run-tensor.ts'
import { withTotals } from './totals.ts'
import type { VocabularyPlan } from '../plan/vocabulary.ts'

/** Changes when the arithmetic does, so that stored vectors of older merges are not mistaken for new ones. */
export const arithmetic = '2'

/**
 * The output of a plan as tensors that are computed when they are read; nothing is written. `sources`: the plan's
 * models, then its further sources, as `sourcesOf` gives them; their open files are shared, and closed with it. Reading
 * throws what computing a tensor throws: `tensor.value`, file faults.
 *
 * @example
 * ```ts
 * import { readFloat32 } from 'strata-lm'
 * import { mergedSource, openMergeFile, sourcesOf } from 'strata-lm/merge'
 *
 * const opened = await openMergeFile('recipe.yml')
 * const merged = mergedSource(opened.plan, sourcesOf(opened), 'mine')
 * console.log((await readFloat32(merged, 'model.norm.weight')).length) // → 64
 * await merged.close()
 * ```
 */
export function mergedSource(plan: MergePlan, sources: readonly TensorSource[], name: string): TensorSource {
  const planned = new Map(plan.tensors.map((tensor) => [tensor.name, tensor]))
  const names = [...planned.keys()]
  const reader = sourceReader(sources)
  let run: Promise<RunPlan> | undefined
  const infoOf = (tensor: string): TensorInfo | undefined => {
    const found = planned.get(tensor)
    if (found === undefined) return undefined
    return {
      name: tensor,
      dtype: found.dtype,
      shape: found.shape,
      byteLength: elementCount(found.shape) * dtypeBytes(found.dtype),
    }
  }
  return {
    name,
    names: () => names,
    info: infoOf,
    async read(tensor) {
      const [found, info] = [planned.get(tensor), infoOf(tensor)]
      if (found === undefined || info === undefined)
        throw fault('tensor.missing', { place: name, what: `no tensor ${tensor}` })
      const bytes = new Uint8Array(info.byteLength)
      run ??= withTotals(plan, sources)
      await mergeTensor(await run, found, reader.read, (part, offset) => {
        bytes.set(part, offset)
        return Promise.resolve()
      })
      return bytes
    },
    locate: () => undefined,
    identity: () => mergeIdentity(plan, sources),
    async close() {
      await reader.close()
      await Promise.all(sources.map((source) => source.close()))
    },
  }
}

/**
 * Hash of everything that decides the output's bytes: the sources' own identities, every tensor's settings, seed and
 * profile.
 */
export async function mergeIdentity(
  { method, compat, seed, dtype, vocabulary, tensors }: MergePlan,
  sources: readonly TensorSource[],
  identityOf: (source: TensorSource) => Promise<string> = (source) => source.identity(),
): Promise<string> {
  const identities = await Promise.all(sources.map(identityOf))
  return fingerprint({
    arithmetic,
    method: keyName(mergeMethodNamed(method)),
    compat,
    seed,
    dtype: dtype ?? null,
    identities,
    // Only LiNeS looks at sides; a side that follows from the name is part of the identity already.
    tensors: tensors.map(({ side, ...tensor }) =>
      method !== 'lines' || side === roleByName(tensor.name).side ? tensor : { ...tensor, side },
    ),
    vocabulary: vocabulary === undefined ? null : vocabularyIdentity(vocabulary),
  })
}

function vocabularyIdentity({ rows, tokens, own, base, named }: VocabularyPlan): unknown {
  return {
    rows,
    tokens,
    own: own.map((list) => sha256(new Uint8Array(list.buffer))),
    base: base ?? null,
    named: [...named],
  }
}
