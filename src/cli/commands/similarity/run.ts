/** `strata similarity`: layer × layer, for one model or two, or for each model of a grid. */
import { asFault, fault } from '#core'
import type { Corpus } from '#experiment/encode'
import {
  type GridEntry,
  measureSimilarity,
  type SimilarityReport,
  writeGridSummary,
  writeSimilarities,
} from '#experiment/similarity'
import { openModel } from '#experiment/open'
import type { Model } from '#model/checkpoint'
import { poolingNamed } from '#model/passes'
import { representationsNamed } from '#representation/layers'
import { similaritiesNamed } from '#representation/similarity'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { background } from '../../flags/pictures.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import { out as outFlag, type Flags } from './flags.ts'
import { openCorpus } from '../../options/corpus.ts'
import { similarityLines } from './similarity-lines.ts'
import { modelOptions } from '../../options/model-options.ts'

export const run: CommandRun<Flags> = async (references, flags, terminal) => {
  const poolings = flags.pooling?.split(',').map((name) => name.trim()) ?? [undefined]
  for (const pooling of poolings) if (pooling !== undefined) poolingNamed(pooling)
  const isGrid = flags.grid === true || poolings.length > 1
  if (references.length > 2 && !isGrid)
    throw fault('usage.value', {
      place: 'models',
      what: 'one or two models can be compared with each other',
      seen: references.length,
      wanted: '1 or 2',
      hint: '--grid compares the layers of each model by itself',
    })
  refuseWithout(flags, outFlag, [background])
  similaritiesNamed(flags.metrics)
  const corpus = await openCorpus(flags, terminal)
  if (isGrid) return measureGrid(references, poolings, { corpus, flags, terminal })
  await compared(references, { corpus, flags, terminal })
  return 0
}

interface Measured {
  readonly corpus: Corpus
  readonly flags: Flags
  readonly terminal: Terminal
}

/** One after the other; a failure is an entry of the summary, and the others continue. */
async function measureGrid(
  references: readonly string[],
  poolings: readonly (string | undefined)[],
  { corpus, flags, terminal }: Measured,
): Promise<number> {
  const entries: GridEntry[] = []
  for (const reference of references)
    for (const pooling of poolings) {
      terminal.signal.throwIfAborted()
      try {
        const { report, folder } = await compared([reference], { corpus, flags: { ...flags, pooling }, terminal })
        entries.push({ model: report.model, pooling: report.pooling, folder: folder ?? '' })
      } catch (error) {
        terminal.signal.throwIfAborted()
        const { code, message } = asFault(error, 'internal', reference)
        terminal.note(`failed  ${reference}${pooling === undefined ? '' : ` ${pooling}`}: ${message}`)
        entries.push({
          model: reference,
          pooling: pooling ?? 'default',
          folder: undefined,
          error: `${code}: ${message}`,
        })
      }
    }
  const failed = entries.filter(({ folder }) => folder === undefined).length
  if (flags.out !== undefined) {
    const summary = await writeGridSummary(flags.out, entries, { dataset: corpus.name, texts: corpus.texts.length })
    terminal.note(`${entries.length - failed} of ${entries.length} written, listed in ${summary}`)
  }
  return failed > 0 ? 1 : 0
}

/** One model with itself, or two with each other: printed, and written where a folder is given. */
async function compared(
  references: readonly string[],
  { corpus, flags, terminal }: Measured,
): Promise<{ report: SimilarityReport; folder: string | undefined }> {
  const models: Model[] = []
  try {
    for (const reference of references) models.push(await openModel(reference, modelOptions(flags, terminal)))
    const [model, other] = models
    if (model === undefined) throw fault('usage.value', { place: 'models', what: 'no model is given' })
    const { sampleSize, trials, seed, transform, out, background } = flags
    const report = await measureSimilarity([model, other], corpus, {
      metrics: similaritiesNamed(flags.metrics),
      representations: await representationsNamed(flags.representation ?? [], model),
      transform,
      sampleSize,
      trials,
      seed,
      signal: terminal.signal,
      onProgress: terminal.progress,
    })
    const folder = out === undefined ? undefined : await writeSimilarities(out, report, { background })
    if (folder !== undefined) terminal.note(`written to ${folder}`)
    if (flags.json === true) terminal.print(JSON.stringify(report))
    else for (const line of similarityLines(report)) terminal.print(line)
    return { report, folder }
  } finally {
    await Promise.all(models.map((model) => model.close()))
  }
}
