/** Weights of a module, from its folder. */
import { fault, type RepoFiles, type TensorSource } from '#core'
import { openTensors, readFloat32 } from '#files/formats'
import { inFolder } from './module-entries.ts'

export interface WeightNames {
  readonly shapes: Readonly<Record<string, readonly number[]>>
  /** Names that stand for one of them, as shared tensors do in a file that holds each once. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Tensors that decide nothing. */
  readonly ignored?: readonly string[]
}

/**
 * Exactly these tensors from a module's folder: safetensors before torch's file, and nothing besides, as torch's strict
 * loading demands.
 */
export async function readWeights(
  files: RepoFiles,
  folder: string,
  names: WeightNames,
): Promise<Map<string, Float32Array>> {
  const candidates = ['model.safetensors', 'pytorch_model.bin'].map((name) => inFolder(folder, name))
  const place = `${files.name}/${folder}`
  for (const path of candidates) {
    if (!(await files.has(path))) continue
    const tensors = await openTensors(await files.local(path))
    try {
      return await takeWeights(tensors, names, `${files.name}/${path}`)
    } finally {
      await tensors.close()
    }
  }
  throw fault('file.missing', { place, what: 'the module has no weights', wanted: candidates.join(' or ') })
}

/** The named tensors of a source that has no others. Throws `config.value`, `tensor.missing`, `tensor.shape`. */
export async function takeWeights(
  tensors: TensorSource,
  { shapes, aliases = {}, ignored = [] }: WeightNames,
  place: string,
): Promise<Map<string, Float32Array>> {
  const meant = (name: string): string => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name)
  const extra = tensors.names().filter((name) => !Object.hasOwn(shapes, meant(name)) && !ignored.includes(name))
  if (extra.length > 0) {
    throw fault('config.value', {
      place,
      what: 'tensors that the module’s config does not mention',
      seen: extra.slice(0, 8).join(', '),
      wanted: Object.keys(shapes).join(', '),
    })
  }
  const out = new Map<string, Float32Array>()
  for (const [name, shape] of Object.entries(shapes)) {
    const stored = [name, ...Object.keys(aliases).filter((alias) => aliases[alias] === name)].find(
      (one) => tensors.info(one) !== undefined,
    )
    const info = stored === undefined ? undefined : tensors.info(stored)
    if (stored === undefined || info === undefined)
      throw fault('tensor.missing', { place, what: `no tensor ${name}`, seen: tensors.names().slice(0, 8).join(', ') })
    if (info.shape.join() !== shape.join())
      throw fault('tensor.shape', {
        place: `${place} › ${stored}`,
        what: 'the shape does not fit the module’s config',
        seen: info.shape,
        wanted: shape,
      })
    out.set(name, await readFloat32(tensors, stored))
  }
  return out
}
