/** `strata serve`: opened models behind one address. */
import { fault } from '#core'
import { openModel } from '#experiment/open'
import type { Model } from '#model/checkpoint'
import { planServer, type ServeOptions, serveUntil } from '#serve/api'
import { cacheDir, cacheLimit } from '../../flags/machine.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import { modelOptions, modelReferences } from '../../options/model-options.ts'
import { serverKey } from '../../options/server-key.ts'
import { servingLines } from '../../options/serving-lines.ts'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { cache, type Flags } from './flags.ts'

export const run: CommandRun<Flags> = async (args, flags, terminal) => {
  const references = modelReferences(args, flags)
  if (references.length === 0)
    throw fault('usage.value', { place: 'models', what: 'no model is named', hint: 'strata serve org/name' })
  refuseWithout(flags, cache, [cacheDir, cacheLimit])
  const options = serveOptions(flags, terminal)
  const models: Model[] = []
  try {
    for (const reference of references)
      models.push(
        await openModel(reference, {
          ...modelOptions(flags, terminal),
          ...(flags.cache === true ? {} : { store: undefined }),
        }),
      )
    if (flags.dryRun === true) {
      const plan = await planServer(models, options)
      const { lines: _lines, ...parts } = plan
      const { threads, batchTokens, device, engine, dtype, prompt, promptName, adapter } = flags
      const asked = { threads, batchTokens, device, engine, dtype, prompt, promptName, adapter }
      if (flags.json === true) terminal.print(JSON.stringify({ ...parts, ...asked }))
      else for (const line of plan.lines) terminal.print(line)
      return 0
    }
    await serveUntil(models, { ...options, ...servingLines(terminal, flags) })
    return 0
  } finally {
    for (const model of models) await model.close()
  }
}

function serveOptions(flags: Flags, { signal }: Terminal): ServeOptions {
  const { representation: representations, host, port, cors: origins, maxBatchTokens, maxQueue, maxBody } = flags
  return {
    representations,
    host,
    port,
    origins,
    noKey: flags.key === false,
    maxBatchTokens,
    maxQueue,
    maxBody,
    isKept: flags.cache === true,
    key: serverKey(flags),
    signal,
  }
}
