/** `strata similarity`: layer × layer, of one model or of two. */
import { fault } from '#core'
import { type Corpus, inspectSimilarity, readCorpus, writeSimilarities } from '#experiment/inspect'
import { openModel } from '#experiment/open'
import { taskTexts } from '#experiment/sweep'
import { readTexts } from '#files/tables'
import type { Model } from '#model/checkpoint'
import { similaritiesNamed } from '#representation/similarity'
import { selectTasks } from '../choose-tasks.ts'
import type { Terminal } from '../command.ts'
import type { CommandRun, FlagsOf } from '../commands.ts'
import { similarityLines } from '../lines/similarity-lines.ts'
import { modelOptions, sweepOptions } from '../options.ts'
import { askedFor } from '../sweep.ts'

export const run: CommandRun<'similarity'> = async (references, flags, terminal) => {
  const [first = '', second, ...more] = references
  if (more.length > 0)
    throw fault('usage.value', { place: 'models', what: 'compares one model with itself, or two', seen: references.length, wanted: '1 or 2' })
  const metrics = similaritiesNamed(flags.metrics)
  const corpus = await corpusOf(flags, terminal)
  const models: Model[] = []
  try {
    for (const reference of [first, ...(second === undefined ? [] : [second])]) models.push(await openModel(reference, modelOptions(flags, terminal)))
    const [model, other] = models
    if (model === undefined) throw fault('usage.value', { place: 'models', what: 'no model named' })
    const { sampleSize, trials, seed, transform, out } = flags
    const call = { signal: terminal.signal, onProgress: terminal.progress }
    const report = await inspectSimilarity([model, other], corpus, { metrics, transform, sampleSize, trials, seed, ...call })
    if (out !== undefined) terminal.note(`written to ${await writeSimilarities(out, report)}`)
    if (flags.json === true) terminal.print(JSON.stringify(report))
    else for (const line of similarityLines(report)) terminal.print(line)
    return 0
  } finally {
    await Promise.all(models.map((model) => model.close()))
  }
}

/** What `--texts` or `--task` names. */
async function corpusOf(flags: FlagsOf<'similarity'>, terminal: Terminal): Promise<Corpus> {
  const { texts: path, task, column, rows: most, seed } = flags
  if ((path === undefined) === (task === undefined))
    throw fault('usage.conflict', {
      place: '--texts, --task',
      what: path === undefined ? 'no texts named' : 'both are given',
      hint: 'name a file of texts, or a task',
    })
  if (path !== undefined) {
    const name = path === '-' ? 'stdin' : (path.split('/').at(-1) ?? path).replace(/\..*$/, '')
    return readCorpus(name, readTexts(path === '-' ? { kind: 'stdin', column } : { kind: 'file', path, column }), { most })
  }
  const [name = '', split] = (task ?? '').split(':')
  const found = await selectTasks({ tasks: [name] }, terminal)
  const texts = taskTexts({ ...sweepOptions({ ...flags, splits: split === undefined ? undefined : [split] }, terminal), ...askedFor(found) })
  return readCorpus(split === undefined ? name : `${name}_${split}`, texts, { most, drawn: { seed } })
}
