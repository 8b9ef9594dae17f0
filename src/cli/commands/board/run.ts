/** `strata board`: folders that grow as one page. */
import { join } from 'node:path'
import { fault } from '#core'
import { openTaskTexts } from '#experiment/compare'
import { openDatasets } from '#experiment/sweep'
import { planBoard, serveBoard, type ServeBoardOptions } from '#serve/board'
import { knownTasks } from '../../options/choose-tasks.ts'
import { cacheFolder } from '../../options/model-options.ts'
import { serverKey } from '../../options/server-key.ts'
import { servingLines } from '../../options/serving-lines.ts'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'

export const run: CommandRun<Flags> = async (folders, flags, terminal) => {
  if (folders.length === 0)
    throw fault('usage.value', { place: 'strata board', what: 'no folder is given', hint: 'strata board results' })
  const options = await boardOptions(flags, terminal)
  if (flags.dryRun === true) {
    const plan = await planBoard(folders, options)
    const { host, port, key, ...places } = plan
    if (flags.json === true) terminal.print(JSON.stringify(plan))
    else {
      terminal.print(`http://${host}:${port}, key ${key}`)
      for (const [kind, paths] of Object.entries(places))
        for (const path of paths) terminal.print(`${kind.padEnd(8)}  ${path}`)
    }
    return 0
  }
  await serveBoard(folders, { ...options, ...servingLines(terminal, flags) })
  return 0
}

async function boardOptions(flags: Flags, { signal }: Terminal): Promise<ServeBoardOptions> {
  const known = await knownTasks()
  // nothing is downloaded for a few texts
  const openDataset = openDatasets({ offline: true, ownData: new Map(), signal, onProgress: undefined })
  const scratch = join(cacheFolder(), 'scratch')
  const textsOf = openTaskTexts()
  return {
    port: flags.port,
    host: flags.host,
    key: serverKey(flags),
    noKey: flags.key === false,
    signal,
    typeOf: (task) => known.get(task)?.type ?? '',
    mainScore: (task) => known.get(task)?.mainScore,
    textsOf: async (name, items) => {
      const task = known.get(name)
      if (task === undefined) throw fault('task.unknown', { place: name, what: 'the task is not in the registry' })
      return textsOf(task, items, { openDataset, profile: 'mteb-2', scratch, signal })
    },
  }
}
