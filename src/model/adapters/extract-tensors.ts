/**
 * The tensors of an extracted adapter, one module after another: finished ones lie in a spool with a journal, so that
 * an interrupted run can resume; the file is put together at the end.
 */
import { join } from 'node:path'
import { byteText, fault, fingerprint, type Matrix64, type ModelHeaders, type OnProgress, type TensorInfo } from '#core'
import { createSafetensorsWriter, narrow, type TensorLayout, widen64, inputStamp } from '#files/formats'
import { loraFactors } from './factors.ts'
import type { ExtractionPlan, FactorPlan, WholePlan } from './plan-extraction.ts'
import { type ExtractedModule, type FactorSpool, type Fresh, openFactorSpool } from './factor-spool.ts'

export interface ExtractRun {
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

export interface ExtractedTensors {
  readonly modules: readonly ExtractedModule[]
  readonly tensors: number
  readonly bytes: number
  /** Whether biases were saved along with the factors. */
  readonly biases: boolean
  /** Modules that an earlier run had already finished. */
  readonly resumed: number
  readonly notes: readonly string[]
}

export const adapterFile = 'adapter_model.safetensors'
const prefix = 'base_model.model.'

/**
 * Writes `adapter_model.safetensors` below `folder`. Throws `tensor.value` for a change that is not finite,
 * `run.cancelled`, `file.write`.
 */
export async function extractTensors(
  plan: ExtractionPlan,
  model: ModelHeaders,
  base: ModelHeaders,
  folder: string,
  options: ExtractRun = {},
): Promise<ExtractedTensors> {
  const { onProgress, signal } = options
  const stamp = fingerprint({
    plan: JSON.stringify(plan),
    model: await inputStamp(model.tensors),
    base: await inputStamp(base.tensors),
  })
  const spool = await openFactorSpool(folder, stamp)
  try {
    for (const [i, one] of plan.factors.entries()) {
      if (signal?.aborted)
        throw fault('run.cancelled', {
          place: one.module,
          what: 'stopped',
          hint: 'finished modules are kept; run the same command again to continue',
        })
      if (!spool.finished.has(one.module)) await spool.add(one.module, await factorsOf(one, plan, model, base))
      onProgress?.({ stage: 'extract', done: i + 1, total: plan.factors.length, unit: 'tensors' })
    }
    const biases = await someDiffer(plan.biases, model, base)
    const whole = [...plan.whole, ...(biases ? plan.biases : [])]
    const layout: TensorLayout[] = [
      ...plan.factors.flatMap(({ module }) => spool.finished.get(module)?.tensors ?? []),
      ...whole.map(({ name, weight: { dtype, shape } }) => ({ name: prefix + name, dtype, shape })),
    ]
    const bytes = await assemble(join(folder, adapterFile), layout, spool, whole, model)
    const modules = plan.factors.flatMap(({ module }) => spool.finished.get(module)?.outcome ?? [])
    const notes = [...(await unchangedNotes(plan, model, base)), ...(await leftNotes(plan, model, base))]
    await spool.remove()
    return { modules, tensors: layout.length, bytes, biases, resumed: spool.resumed, notes }
  } finally {
    await spool.close()
  }
}

async function factorsOf(
  one: FactorPlan,
  { epsilon, distribute }: ExtractionPlan,
  model: ModelHeaders,
  base: ModelHeaders,
): Promise<Fresh> {
  const { module, rank: maxRank, dtype, embedding } = one
  const change = await changeOf(one, model, base)
  const { rank, a, b, total, kept } = await loraFactors(change, { maxRank, epsilon, distribute })
  const name = (side: 'A' | 'B'): string =>
    `${prefix}${module}.lora_${embedding ? `embedding_${side}` : `${side}.weight`}`
  return {
    tensors: [
      { name: name('A'), dtype, shape: [rank, one.width], bytes: narrow(a, dtype) },
      { name: name('B'), dtype, shape: [one.rows, rank], bytes: narrow(b, dtype) },
    ],
    outcome: { module, rank, total, kept },
  }
}

/** W_ft − W_base [rows × width], in float64. */
async function changeOf(
  { module, weight, base: before, rows, width, embedding, transposed }: FactorPlan,
  model: ModelHeaders,
  base: ModelHeaders,
): Promise<Matrix64> {
  const [after, from] = await Promise.all([valuesOf(model, weight), valuesOf(base, before)])
  const data = new Float64Array(rows * width)
  const turned = embedding || transposed
  for (let i = 0; i < data.length; i++) {
    const at = turned ? (i % rows) * width + Math.floor(i / rows) : i
    data[at] = after[i]! - from[i]!
  }
  if (data.some((value) => !Number.isFinite(value)))
    throw fault('tensor.value', { place: `${module}.weight`, what: 'the change is not finite everywhere' })
  return { rows, width, data }
}

async function valuesOf({ tensors }: ModelHeaders, { name, dtype }: TensorInfo): Promise<Float64Array> {
  return widen64(await tensors.read(name), dtype)
}

const piece = 2 ** 24

async function assemble(
  path: string,
  layout: readonly TensorLayout[],
  spool: FactorSpool,
  whole: readonly WholePlan[],
  model: ModelHeaders,
): Promise<number> {
  const writer = await createSafetensorsWriter(path, layout, { format: 'pt' })
  let bytes = 0
  try {
    for (const { tensors } of spool.finished.values()) {
      for (const tensor of tensors) {
        for (let at = 0; at < tensor.byteLength; at += piece)
          await writer.write(tensor.name, await spool.read(tensor, at, Math.min(piece, tensor.byteLength - at)), at)
        bytes += tensor.byteLength
      }
    }
    for (const { name, weight } of whole) {
      await writer.write(prefix + name, await model.tensors.read(weight.name))
      bytes += weight.byteLength
    }
    await writer.finish()
    return bytes
  } catch (error) {
    await writer.abort()
    throw error
  }
}

type Compared = Pick<WholePlan, 'weight' | 'base'>

async function differs({ weight, base: before }: Compared, model: ModelHeaders, base: ModelHeaders): Promise<boolean> {
  if (before === undefined || before.dtype !== weight.dtype || before.shape.join() !== weight.shape.join()) return true
  return Buffer.compare(await model.tensors.read(weight.name), await base.tensors.read(before.name)) !== 0
}

async function someDiffer(list: readonly Compared[], model: ModelHeaders, base: ModelHeaders): Promise<boolean> {
  for (const one of list) if (await differs(one, model, base)) return true
  return false
}

const large = 2 ** 20

/** Large tensors that were saved for nothing. */
async function unchangedNotes({ whole }: ExtractionPlan, model: ModelHeaders, base: ModelHeaders): Promise<string[]> {
  const notes: string[] = []
  for (const one of whole) {
    if (one.weight.byteLength < large || (await differs(one, model, base))) continue
    const module = one.name.replace(/\.weight$/, '')
    notes.push(
      `${module} is as in the base: --exclude-regex '${module.slice(module.lastIndexOf('.') + 1)}$' saves ${byteText(one.weight.byteLength)}`,
    )
  }
  return notes
}

async function leftNotes({ left }: ExtractionPlan, model: ModelHeaders, base: ModelHeaders): Promise<string[]> {
  const changed: string[] = []
  for (const one of left) if (await differs(one, model, base)) changed.push(one.weight.name)
  if (changed.length === 0) return []
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : ''
  return [`no adapter can carry the change of ${changed.slice(0, 3).join(', ')}${more}`]
}
