/** `strata similarity`: layer × layer, for one model or two. */
import { fault } from '#core'
import { measureSimilarity, writeSimilarities } from '#experiment/similarity'
import { openModel } from '#experiment/open'
import type { Model } from '#model/checkpoint'
import { representationsNamed } from '#representation/layers'
import { similaritiesNamed } from '#representation/similarity'
import type { CommandRun } from '../../spec/command.ts'
import { background } from '../../flags/pictures.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import { out as outFlag, type Flags } from './flags.ts'
import { openCorpus } from '../../options/corpus.ts'
import { similarityLines } from './similarity-lines.ts'
import { modelOptions } from '../../options/model-options.ts'

export const run: CommandRun<Flags> = async (references, flags, terminal) => {
  const [first = '', second, ...more] = references
  if (more.length > 0)
    throw fault('usage.value', {
      place: 'models',
      what: 'one or two models can be compared',
      seen: references.length,
      wanted: '1 or 2',
    })
  refuseWithout(flags, outFlag, [background])
  const metrics = similaritiesNamed(flags.metrics)
  const corpus = await openCorpus(flags, terminal)
  const models: Model[] = []
  try {
    for (const reference of [first, ...(second === undefined ? [] : [second])])
      models.push(await openModel(reference, modelOptions(flags, terminal)))
    const [model, other] = models
    if (model === undefined) throw fault('usage.value', { place: 'models', what: 'no model is given' })
    const { sampleSize, trials, seed, transform, out, background } = flags
    const representations = await representationsNamed(flags.representation ?? [], model)
    const call = { signal: terminal.signal, onProgress: terminal.progress }
    const report = await measureSimilarity([model, other], corpus, {
      metrics,
      representations,
      transform,
      sampleSize,
      trials,
      seed,
      ...call,
    })
    if (out !== undefined) terminal.note(`written to ${await writeSimilarities(out, report, { background })}`)
    if (flags.json === true) terminal.print(JSON.stringify(report))
    else for (const line of similarityLines(report)) terminal.print(line)
    return 0
  } finally {
    await Promise.all(models.map((model) => model.close()))
  }
}
