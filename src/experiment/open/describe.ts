/**
 * Describes a reference: a model (family, layers, width, pooling, prompts, memory), or a file or folder of tensors.
 * Reads headers and small files only.
 */
import { basename, dirname } from 'node:path'
import type { TensorInfo, TensorSource } from '#core'
import { openTensors, openTensorSet } from '#files/formats'
import { openRepo, parseReference } from '#files/hub'
import {
  isBm25,
  openBm25,
  openModelParts,
  type Model,
  type ModelFacts,
  type ModelUse,
  modelUses,
} from '#model/checkpoint'
import type { ModelSettings } from '#model/passes'
import { isGgufPath } from './gguf-parts.ts'
import { closingOnFailure, resolveModel, type OpenModelOptions } from './open-model.ts'

export type Description =
  | {
      readonly kind: 'model'
      readonly model: string
      /** The commit; null for a folder, whose revision is a hash of its whole content. */
      readonly revision: string | null
      readonly type: 'transformer' | 'static'
      readonly states: number
      readonly settings: ModelSettings
      readonly facts: ModelFacts
      readonly memoryBytes: number
      /** How it may be asked. */
      readonly uses: readonly ModelUse[]
    }
  | { readonly kind: 'tensors'; readonly name: string; readonly tensors: readonly TensorInfo[]; readonly bytes: number }

export async function describe(reference: string, options: OpenModelOptions = {}): Promise<Description> {
  if (isBm25(reference)) return modelDescription(openBm25(reference), await openBm25(reference).revision())
  const parsed = parseReference(reference)
  if (parsed.kind === 'file' && !isGgufPath(parsed)) {
    // An index is read through its folder, which contains the shards.
    if (basename(parsed.path).endsWith('.index.json'))
      return tensorList(reference, await openTensorSet(await openRepo({ kind: 'folder', path: dirname(parsed.path) })))
    return tensorList(reference, await openTensors(parsed.path))
  }
  const resolved = await resolveModel(reference, options)
  if (!(await resolved.body.has('config.json')) && !(await resolved.files.has('modules.json')))
    return tensorList(reference, resolved.tensors)
  const model = await closingOnFailure(resolved.tensors, () => openModelParts(resolved, options))
  try {
    return await modelDescription(model, resolved.files.revision ?? null)
  } finally {
    await model.close()
  }
}

async function modelDescription(model: Model, revision: string | null): Promise<Description> {
  return {
    kind: 'model',
    model: model.name,
    revision,
    type: model.states === undefined ? 'static' : 'transformer',
    states: model.states?.count ?? 0,
    settings: model.settings,
    facts: await model.facts(),
    memoryBytes: await model.memoryBytes(),
    uses: await modelUses(model),
  }
}

async function tensorList(name: string, source: TensorSource): Promise<Description> {
  const tensors = source.names().flatMap((tensor) => source.info(tensor) ?? [])
  await source.close()
  return { kind: 'tensors', name, tensors, bytes: tensors.reduce((sum, { byteLength }) => sum + byteLength, 0) }
}
