/** Another model that puts the first documents of a search in order. */
import { fault } from '#core'
import { openReranker, type Model } from '#model/checkpoint'
import { type Representation, representationName, representationsNamed, toWhole } from '#representation/layers'
import { openModel, type OpenModelOptions } from './open-model.ts'

/** The words of `--rerank` and of an experiment file's `rerank`. */
export interface SecondStageChoice {
  /** A reference, a recipe, or either of them with `#` and the representation to search by. */
  readonly model: string
  /** Documents per query that it scores; default 100, as mteb's results of rerankers have it. */
  readonly top?: number | undefined
  /** Layers to keep, its head on top of the last of them; default: all. */
  readonly layers?: number | undefined
  /** Text that it reads with every pair; default: its own. */
  readonly prompt?: string | undefined
}

/** Its own settings decide how it is read: prompts, pooling and lengths of the first model are not its own. */
export type SecondStageOptions = Pick<
  OpenModelOptions,
  'store' | 'batchTokens' | 'threads' | 'device' | 'engine' | 'dtype' | 'signal' | 'onProgress' | 'onNotice'
>

export interface SecondStage {
  readonly model: Model
  /** Undefined: it scores pairs of texts. */
  readonly representation: Representation | undefined
  readonly top: number
}

export interface SecondStageName {
  readonly reference: string
  /** Path of the recipe that it is a merge by. */
  readonly recipe: string | undefined
  /** Representation that it searches by. */
  readonly by: string | undefined
}

export function readSecondStage(named: string): SecondStageName {
  const [reference = '', by] = named.split(/#(?=[^#/\\]+$)/)
  const recipe = /\.ya?ml$/.test(reference) ? reference.replace(/^merge:/, '') : undefined
  return { reference, recipe, by }
}

/** Throws what opening the model throws, `config.unsupported` for one that scores no pairs and names no representation. */
export async function openSecondStage(
  { model: named, top = 100, layers, prompt }: SecondStageChoice,
  options: SecondStageOptions = {},
): Promise<SecondStage> {
  const { reference, recipe, by } = readSecondStage(named)
  const model = await openModel(recipe === undefined ? reference : `merge:${recipe}`, { ...options, prompt, layers })
  try {
    if (by === undefined) await openReranker(model)
    const [representation] = by === undefined ? [] : await representationsNamed([by], model)
    if (representation !== undefined) requireNamedAdapter(model, representation)
    return { model, representation, top }
  } catch (error) {
    await model.close()
    throw error
  }
}

/** Nothing names the adapter of a second stage: it is chosen by task and side, which a search by tokens cannot follow. */
function requireNamedAdapter({ name, prompts: { adapters } }: Model, representation: Representation): void {
  if (toWhole(representation).kind === 'tokens' && adapters !== undefined && adapters.named === undefined)
    throw fault('usage.conflict', {
      place: `${name}#${representationName(representation)}`,
      what: 'a search by tokens reads queries and documents with one adapter, and a second stage chooses it by side',
      hint: 'let it search by vectors: MODEL#default',
    })
}
