/**
 * `strata aggregate`: every way to combine a model's layers, on tasks, and whether any of them is better than the best
 * layer.
 */
import { join, parse } from 'node:path'
import { fault, suggestion } from '#core'
import {
  type Aggregated,
  aggregateGrid,
  type AggregateOptions,
  aggregateReport,
  type AggregateReport,
  aggregateWeights,
  mixMemory,
  runAggregate,
  type SimilaritySource,
  writeChosen,
  writeTables,
} from '#experiment/aggregate'
import { readLayerMatrix, readQuality } from '#experiment/similarity'
import { openModel } from '#experiment/open'
import { planSweep, type SweepOptions } from '#experiment/sweep'
import { type Model, statesOf } from '#model/checkpoint'
import { aggregationNamed } from '#representation/aggregation'
import type { Representation } from '#representation/layers'
import { similaritiesNamed } from '#representation/similarity'
import { type Background, pictureFormat, writePicture } from '#result/pictures'
import { taskOptions, selectTasks } from '../../options/choose-tasks.ts'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import * as pictures from '../../flags/pictures.ts'
import { transform, sampleSize, trials } from '../../flags/sampling.ts'
import { refuseFlags, refuseWithout } from '../../options/acting-flags.ts'
import { type Flags, similarity } from './flags.ts'
import { pcaCorpus } from './pca-corpus.ts'
import { planLines } from '../../sweep/plan-lines.ts'
import { aggregateLines } from './aggregate-lines.ts'
import { cacheFolder, modelOptions, modelReferences, sweepOptions } from '../../options/model-options.ts'

export const run: CommandRun<Flags> = async (args, flags, terminal) => {
  const references = modelReferences(args, flags)
  if (references.length === 0)
    throw fault('usage.value', {
      place: 'models',
      what: 'no model is given',
      hint: 'give org/name, a folder, or --merge RECIPE',
    })
  refuseWithout(flags, pictures.plot, [pictures.background])
  if (flags.similarityMatrix !== undefined)
    refuseFlags(flags, [similarity, transform, sampleSize, trials], {
      what: 'has no effect with --similarity-matrix, which is used as it is',
      hint: 'leave one of them out',
    })
  const asked = settingsOf(flags)
  if (flags.plot !== undefined) pictureFormat(flags.plot, '--plot') // refused before the work
  const poolings = flags.pooling?.split(',') ?? [undefined]
  const found = await selectTasks(flags, terminal)
  const sweep = { ...sweepOptions(flags, terminal), ...taskOptions(found) }
  const done: { model: Model; aggregated: Aggregated }[] = []
  const models: { model: Model; similarities: readonly SimilaritySource[] }[] = []
  let failed = 0
  try {
    // a matrix that is not the model's is refused before the work
    for (const reference of references)
      for (const pooling of poolings) {
        const model = await openModel(reference, modelOptions({ ...flags, pooling }, terminal))
        models.push({ model, similarities: [] })
        models[models.length - 1] = { model, similarities: await readSimilarities(flags, model) }
      }
    if (flags.dryRun === true) {
      for (const { model } of models) await printPlan(model, { ...sweep, methods: asked.methods }, flags, terminal)
      return 0
    }
    const corpus = await pcaCorpus(flags, terminal)
    for (const { model, similarities } of models) {
      const aggregated = await runAggregate(model, {
        ...sweep,
        ...asked,
        similarities,
        corpus,
        validationFolder: join(cacheFolder(flags), 'validation'),
        onResult({ result }) {
          if (flags.json === true) terminal.print(JSON.stringify(result))
          if (result.strata.status === 'failed') {
            failed++
            if (flags.json !== true)
              terminal.note(
                `failed  ${result.task_name} ${result.strata.representation}: ${result.strata.reason ?? ''}`,
              )
          }
        },
      })
      for (const { task, error } of aggregated.failed) terminal.note(`failed  ${task}: ${error.message}`)
      failed += aggregated.failed.length
      done.push({ model, aggregated })
      const files = await writeChosen(model, aggregated, flags.results)
      const report = await aggregateReport(aggregated, flags.results)
      if (flags.plot !== undefined)
        await plot(report, flags.plot, { several: models.length > 1, background: flags.background }, terminal)
      if (flags.json === true)
        terminal.print(JSON.stringify({ aggregate: { ...report, files: Object.fromEntries(files) } }))
      else for (const line of aggregateLines(report, files)) terminal.print(line)
    }
    if (flags.tables !== undefined) {
      await writeTables(flags.tables, done)
      terminal.note(`tables written to ${flags.tables}`)
    }
    return failed > 0 ? 1 : 0
  } finally {
    await Promise.all(models.map(({ model }) => model.close()))
  }
}

/** The scores of every layer, which the qualities and the combinations are made from; the mixes follow from them. */
async function printPlan(
  model: Model,
  { methods, ...sweep }: Omit<SweepOptions, 'representations'> & Pick<AggregateOptions, 'methods'>,
  { json }: Flags,
  terminal: Terminal,
): Promise<void> {
  const states = Array.from({ length: statesOf(model).count }, (_, h): Representation => ({ kind: 'state', h }))
  const representations = [...states, ...(model.defaultLacks === undefined ? [{ kind: 'default' as const }] : [])]
  const scores = await planSweep(model, { ...sweep, representations })
  const plan = { ...scores, memoryBytes: scores.memoryBytes + (await mixMemory(model, methods)) }
  if (json === true) terminal.print(JSON.stringify(plan))
  else for (const line of planLines(plan)) terminal.print(line)
}

/** A given matrix must be of the model itself. */
async function readSimilarities(flags: Flags, model: Model): Promise<readonly SimilaritySource[]> {
  if (flags.similarityMatrix === undefined) return similaritiesNamed(flags.similarity, '--similarity')
  const whose = { model: model.name, pooling: model.settings.pooling.join('+') }
  return [await readLayerMatrix(flags.similarityMatrix, whose)]
}

/**
 * The grid in the named file, the weights of the chosen mixes next to it; for several models, files with the model's
 * name.
 */
async function plot(
  report: AggregateReport,
  file: string,
  { several, background }: { several: boolean; background: Background },
  terminal: Terminal,
): Promise<void> {
  const { dir, name, ext } = parse(file)
  const own = join(dir, several ? `${name}-${report.model.replaceAll(/[^\w.]+/g, '_')}-${report.pooling}` : name)
  await writePicture(`${own}${ext}`, aggregateGrid(report), { background })
  const weights = aggregateWeights(report)
  if (weights !== undefined) await writePicture(`${own}-weights${ext}`, weights, { background })
  terminal.note(`picture written to ${own}${ext}`)
}

type Settings = Pick<
  AggregateOptions,
  | 'methods'
  | 'lambdas'
  | 'quality'
  | 'qualityTransforms'
  | 'clusters'
  | 'components'
  | 'dropDelta'
  | 'maxLayers'
  | 'layerNorm'
  | 'transform'
  | 'sampleSize'
  | 'trials'
  | 'seed'
>

function settingsOf(flags: Flags): Settings {
  const {
    methods,
    lambda: lambdas,
    clusters,
    components,
    dropDelta,
    maxLayers,
    layerNorm,
    transform,
    sampleSize,
    trials,
    seed,
  } = flags
  if (flags.similarityMatrix === undefined) similaritiesNamed(flags.similarity, '--similarity')
  return {
    methods: aggregationNamed(methods),
    lambdas,
    quality: sourceNamed(flags.quality),
    qualityTransforms: { softmax: flags.qualitySoftmax, log: flags.qualityLog, normalise: flags.qualityNormalise },
    clusters,
    components,
    dropDelta,
    ...(maxLayers === undefined ? {} : { maxLayers }),
    layerNorm,
    transform,
    sampleSize,
    trials,
    seed,
  }
}

function sourceNamed(named: string): AggregateOptions['quality'] {
  if (named === 'validation' || named === 'diagonal' || named === 'row_mean') return named
  if (/[./\\]/.test(named)) return { name: named, read: (states) => readQuality(named, states) }
  throw fault('usage.value', {
    place: '--quality',
    what: 'no such source of qualities',
    seen: named,
    wanted: 'validation, diagonal, row_mean, or a JSON file',
    hint: suggestion(named, ['validation', 'diagonal', 'row_mean']),
  })
}
