/** A GGUF file named by a reference – itself, or the only weights of a folder – as the parts of a model. */
import { basename } from 'node:path'
import { fault, fingerprint, type RepoFiles } from '#core'
import { openGguf } from '#files/formats'
import type { Reference } from '#files/hub'
import type { ModelParts } from '#model/checkpoint'
import { ggufModel } from '#model/gguf'
import { withTexts } from './with-texts.ts'

export interface GgufPlace {
  readonly files: RepoFiles
  /** Within the repository. */
  readonly path: string
}

const isGguf = /\.gguf$/i

/** Whether a reference names a GGUF file: `./model.gguf`, `org/name/model.gguf`. */
export function isGgufPath(reference: Reference): boolean {
  return (
    (reference.kind === 'file' && isGguf.test(reference.path)) ||
    (reference.kind === 'hub' && isGguf.test(reference.folder ?? ''))
  )
}

/**
 * Undefined for a reference to anything else. Throws `usage.value` for a repository with several such files and no
 * other weights.
 */
export async function findGguf(
  reference: Reference,
  open: (one: Reference) => Promise<RepoFiles>,
): Promise<GgufPlace | undefined> {
  if (reference.kind === 'merge') return undefined
  if (reference.kind === 'file') {
    if (!isGgufPath(reference)) return undefined
    return { files: await open(reference), path: basename(reference.path) }
  }
  if (reference.kind === 'hub' && reference.folder !== undefined && isGgufPath(reference)) {
    const { folder, ...whole } = reference
    return { files: await open(whole), path: folder }
  }
  const files = await open(reference)
  if (await files.has('config.json')) return undefined
  const paths = await files.list()
  if (paths.some((path) => weights.test(path))) return undefined
  const [only, ...others] = paths.filter((path) => isGguf.test(path))
  if (only === undefined || others.length === 0) return only === undefined ? undefined : { files, path: only }
  throw fault('usage.value', {
    place: files.name,
    what: 'several GGUF files: it is not clear which is meant',
    seen: [only, ...others].slice(0, 12),
    hint: `name one: ${files.name}/${only}`,
  })
}

/** Files that make a folder a checkpoint, or a model of sentence-transformers. */
const weights = /(?:^|\/)(?:modules\.json|adapter_config\.json|[^/]*\.safetensors|pytorch_model[^/]*\.bin|[^/]*\.onnx)$/

/** As results call it: the file's own name, or that of the repository that has no other. */
export function ggufName(reference: Reference, label: string): string {
  return reference.kind === 'file' ? basename(reference.path).replace(isGguf, '') : label.replace(isGguf, '')
}

/** Throws what opening the file and reading its metadata throw. */
export async function ggufParts({ files, path }: GgufPlace, name: string): Promise<ModelParts> {
  const gguf = await openGguf(await files.local(path), { name: `${files.name}/${path}` })
  try {
    const { tensors, texts, notices } = await ggufModel(gguf)
    const body = withTexts(files, texts, { gone: isOfAnother, lacking: 'the model of a GGUF file has no such file' })
    return {
      files: body,
      body,
      tensors,
      name,
      revision: async () =>
        files.revision ?? fingerprint({ tensors: await tensors.identity(), texts: [...texts] }).slice(0, 12),
      asStatic: false,
      notices,
    }
  } catch (error) {
    await gguf.tensors.close()
    throw error
  }
}

/** Files of the repository that may contradict what the GGUF file says. */
function isOfAnother(path: string): boolean {
  return /\.(?:json|txt|model|jinja)$/.test(path)
}
