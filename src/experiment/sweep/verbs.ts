/** The library's verbs over an opened model: vectors of texts, every layer's vectors, scores on tasks. */
import { type CallOptions, fault, type Matrix, type PromptType, type Result } from '#core'
import { openRepresentation, representationsNamed } from '#representation/layers'
import { statesOf, type Model } from '#model/checkpoint'
import { rememberedKeys } from '#platform/vectors'
import { chooseTasks } from '#task/registry'
import type { SweepOptions } from './sweep-request.ts'
import { runSweep } from './sweep.ts'

/**
 * Vectors of texts, [texts × width]: one forward pass per text. `representation`: `default`, `h3`, `h-1` (the last
 * state), `h3-cls`, or the path of a representation file; `promptType`: the side of an asymmetric task, for models with
 * prompts. Throws `representation.unknown`, `usage.conflict` for a layer of a model without layers.
 *
 * @example
 * ```ts
 * import { encode, openModel } from 'strata-lm/layers'
 *
 * const model = await openModel('assets/models/stories260K')
 * const { rows, width } = await encode(model, ['Once upon a time', 'The end.'], { representation: 'h3' })
 * console.log(rows, width) // → 2 64
 * await model.close()
 * ```
 */
export async function encode(
  model: Model,
  texts: readonly string[],
  {
    representation = 'default',
    promptType,
    ...call
  }: CallOptions & { representation?: string; promptType?: PromptType } = {},
): Promise<Matrix> {
  const [named = { kind: 'default' as const }] = await representationsNamed([representation], model)
  const embedder = await openRepresentation(model, named)
  return embedder.embed(texts, { ...call, promptType })
}

/**
 * Every hidden state of the texts from one forward pass: matrix h is [texts × width], where h = 0 is the embedding
 * output. Throws `usage.conflict` for a model without layers, such as a static table.
 *
 * @example
 * ```ts
 * import { layerVectors, openModel } from 'strata-lm/layers'
 *
 * const model = await openModel('assets/models/stories260K')
 * const states = await layerVectors(model, ['Once upon a time', 'The end.'])
 * console.log(states.length, states[0]?.rows, states[0]?.width) // → 6 2 64
 * await model.close()
 * ```
 */
export async function layerVectors(
  model: Model,
  texts: readonly string[],
  options: CallOptions = {},
): Promise<Matrix[]> {
  const states = statesOf(model)
  const matrices: Matrix[] = []
  const keys = rememberedKeys()
  // The pass for the first state stores all of them.
  for (let h = 0; h < states.count; h++)
    matrices.push(await (await states.embedder({ kind: 'state', h }, { keep: 'all', keys })).embed(texts, options))
  return matrices
}

export interface EvaluateOptions extends Omit<
  SweepOptions,
  'tasks' | 'representations' | 'keep' | 'selections' | 'skipped' | 'benchmarks' | 'ownData'
> {
  /** Task names and globs, paths of task files and BEIR folders; default: all of the benchmarks. */
  tasks?: readonly string[] | undefined
  /**
   * Names of benchmarks, such as `MTEB(eng, v2)`: their tasks, splits and subsets. Tasks that cannot run have no
   * result.
   */
  benchmarks?: readonly string[] | undefined
  /** Names such as `default` and `h3`, and paths of representation files. */
  representations?: readonly string[] | undefined
}

/**
 * Scores a model on tasks, one result per representation and task, and returns the results. They are on disk when it
 * returns, in mteb's layout below `outputFolder`; finished results are reused, and a failure is a result with a reason.
 * Throws `usage.value` when no task and no benchmark is named, what finding tasks throws, `run.cancelled`.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { evaluate } from 'strata-lm/tasks'
 *
 * const model = await openModel('assets/models/stories260K')
 * const results = await evaluate(model, {
 *   tasks: ['./pairs.yaml'],
 *   representations: ['h1', 'h5'],
 *   outputFolder: 'out',
 * })
 * for (const { strata, scores } of results)
 *   console.log(strata.representation, scores?.['test']?.[0]?.main_score?.toFixed(2))
 * // → h1 0.75
 * // → h5 0.71
 * await model.close()
 * ```
 */
export async function evaluate(
  model: Model,
  { tasks: names, benchmarks: benchmarkNames = [], representations = ['default'], ...options }: EvaluateOptions,
): Promise<Result[]> {
  if (names === undefined && benchmarkNames.length === 0)
    throw fault('usage.value', { place: 'evaluate', what: 'no task and no benchmark named' })
  const { tasks, selections, benchmarks, ownData } = await chooseTasks(names ?? [], {
    languages: options.languages,
    ...(benchmarkNames.length === 0 ? {} : { benchmarks: benchmarkNames }),
  })
  const results: Result[] = []
  const sweep = runSweep(model, {
    ...options,
    tasks,
    selections,
    benchmarks,
    ownData,
    representations: await representationsNamed(representations, model),
  })
  for await (const { result } of sweep) results.push(result)
  return results
}
