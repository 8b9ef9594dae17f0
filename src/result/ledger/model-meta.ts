/**
 * `model_meta.json`, next to the results: mteb's loader skips folders without it, and uses it to distinguish
 * experiments.
 */
import { join } from 'node:path'
import { parsePythonJson } from '#files/formats'
import { writeWhole } from '#platform/disk'
import { defaultRepresentation, metaFile, resultFolder, revisionFolder, type ResultPlace } from './paths.ts'
import { readText } from './read-text.ts'

/** Known facts about a model; unknown ones are null in the file. */
export interface ModelFacts {
  parameters?: number
  embeddingParameters?: number
  /** Width of its vectors. */
  width?: number
  maxTokens?: number
  /** In mteb's notation, such as `eng-Latn`. */
  languages?: readonly string[]
  license?: string
  /** A reranker: it scores pairs of texts. */
  crossEncoder?: boolean
}

/** Writes the file into the folders of the revision and of the representation, unless a readable one exists. */
export async function writeModelMeta(place: ResultPlace, facts: ModelFacts = {}): Promise<void> {
  await writeOnce(
    join(revisionFolder(place), metaFile),
    modelMeta({ ...place, representation: defaultRepresentation }, facts),
  )
  if (place.representation !== defaultRepresentation)
    await writeOnce(join(resultFolder(place), metaFile), modelMeta(place, facts))
}

/**
 * Fields and names of mteb 2.26's `ModelMeta.to_dict()`. The default representation has no experiment, or mteb would
 * not list it among plain results.
 */
export function modelMeta(
  { model, revision, representation }: Omit<ResultPlace, 'root'>,
  facts: ModelFacts,
): Record<string, unknown> {
  const onHub = /^[^/]+\/[^/]+$/.test(model) && /^[0-9a-f]{40}$/.test(revision)
  return {
    loader_kwargs: {},
    name: model,
    revision,
    release_date: null,
    languages: facts.languages ?? null,
    n_parameters: facts.parameters ?? null,
    n_active_parameters_override: null,
    n_embedding_parameters: facts.embeddingParameters ?? null,
    memory_usage_mb: null,
    max_tokens: facts.maxTokens ?? null,
    embed_dim: facts.width ?? null,
    license: facts.license ?? null,
    open_weights: null,
    public_training_code: null,
    public_training_data: null,
    framework: ['ONNX'],
    reference: onHub ? `https://huggingface.co/${model}` : null,
    similarity_fn_name: 'cosine',
    use_instructions: null,
    training_datasets: null,
    adapted_from: null,
    superseded_by: null,
    modalities: ['text'],
    model_type: [facts.crossEncoder === true ? 'cross-encoder' : 'dense'],
    citation: null,
    contacts: null,
    experiment_kwargs: representation === defaultRepresentation ? null : { representation },
    output_dtypes: null,
    extra_requirements_groups: null,
    loader: null,
    is_cross_encoder: facts.crossEncoder === true,
  }
}

export interface MetaIdentity {
  readonly model: string
  readonly revision: string | undefined
  readonly representation: string | undefined
  readonly parameters: number | undefined
  readonly width: number | undefined
}

/** Names in a folder's `model_meta.json`; undefined where the file is missing or cannot be read. */
export function readModelMeta(folder: string): MetaIdentity | undefined {
  const path = join(folder, metaFile)
  try {
    const meta = parsePythonJson(readText(path), path) as Record<string, unknown> | null
    const { name, revision, experiment_kwargs: kwargs, n_parameters: parameters, embed_dim: width } = meta ?? {}
    if (typeof name !== 'string') return undefined
    const representation = (kwargs as Record<string, unknown> | null | undefined)?.['representation']
    return {
      model: name,
      revision: typeof revision === 'string' ? revision : undefined,
      representation: typeof representation === 'string' ? representation : undefined,
      parameters: countOf(parameters),
      width: countOf(width),
    }
  } catch {
    return undefined
  }
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

async function writeOnce(path: string, meta: Record<string, unknown>): Promise<void> {
  if (readModelMeta(join(path, '..')) !== undefined) return
  await writeWhole(path, `${JSON.stringify(meta, null, 4)}\n`)
}
