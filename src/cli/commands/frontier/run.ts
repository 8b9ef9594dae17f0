/** `strata frontier`: how small the vectors of a model may be, and what that costs on tasks. */
import { join } from 'node:path'
import { fault } from '#core'
import { type Frontier, frontierPicture, frontierPoints, frontierTable, runFrontier } from '#experiment/frontier'
import { openModel } from '#experiment/open'
import { planSweep } from '#experiment/sweep'
import { poolingNamed } from '#model/passes'
import { pictureFormat, writePicture } from '#result/pictures'
import { asTextPage } from '#result/report'
import * as pictures from '../../flags/pictures.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import { selectTasks, taskOptions } from '../../options/choose-tasks.ts'
import { cacheFolder, modelOptions, modelReferences, sweepOptions } from '../../options/model-options.ts'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { planLines } from '../../sweep/plan-lines.ts'
import type { Flags } from './flags.ts'

export const run: CommandRun<Flags> = async (args, flags, terminal) => {
  refuseWithout(flags, pictures.plot, [pictures.background])
  const [reference, ...more] = modelReferences(args, flags)
  if (reference === undefined || more.length > 0)
    throw fault('usage.value', {
      place: 'models',
      what: reference === undefined ? 'no model is given' : 'one model has a frontier at a time',
      seen: reference === undefined ? undefined : [reference, ...more],
      hint: 'give org/name, a folder, or --merge RECIPE',
    })
  if (flags.plot !== undefined) pictureFormat(flags.plot, '--plot') // refused before the work
  const poolings = flags.pooling?.map((name) => poolingNamed(name))
  const found = await selectTasks({ ...flags, types: flags.taskTypes }, terminal)
  const sweep = { ...sweepOptions(flags, terminal), ...taskOptions(found) }
  const model = await openModel(reference, modelOptions({ ...flags, pooling: undefined }, terminal))
  try {
    const { layers, dims, types = ['float32', 'float16', 'int8', 'binary'] } = flags
    const points = await frontierPoints(model, { layers, poolings, dims, types })
    if (flags.dryRun === true) {
      const plan = await planSweep(model, {
        ...sweep,
        keep: 'all',
        representations: points.map(({ representation }) => representation),
      })
      if (flags.json === true) terminal.print(JSON.stringify(plan))
      else for (const line of planLines(plan)) terminal.print(line)
      return 0
    }
    let failed = 0
    const frontier = await runFrontier(model, {
      ...sweep,
      points,
      loss: flags.loss,
      validationFolder: join(cacheFolder(flags), 'validation'),
      onResult: ({ result: { strata } }) => {
        // vectors that a task cannot tell apart are a finding about the point, which the page names
        if (strata.status === 'failed' && strata.code !== 'task.value') failed++
      },
    })
    if (flags.json === true) terminal.print(JSON.stringify(frontier))
    else for (const line of asTextPage([frontierTable(frontier, { all: flags.all })])) terminal.print(line)
    if (flags.plot !== undefined) await plot(frontier, flags.plot, flags.background, terminal)
    return failed > 0 || frontier.baseline === null ? 1 : 0
  } finally {
    await model.close()
  }
}

async function plot(
  frontier: Frontier,
  path: string,
  background: Flags['background'],
  terminal: Terminal,
): Promise<void> {
  const picture = frontierPicture(frontier)
  if (picture === undefined) return terminal.note('no score to plot')
  await writePicture(path, picture, { background })
  terminal.note(`picture written to ${path}`)
}
