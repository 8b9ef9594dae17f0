/** `strata evaluate`: models on tasks, seen through `default` or the representations named. */
import { fault } from '#core'
import {
  embeddingArgs,
  openEmbeddings,
  openModel,
  type OpenEmbeddingsOptions,
  openSecondStage,
  openVectors,
  type SecondStage,
} from '#experiment/open'
import { planSweep } from '#experiment/sweep'
import type { Model } from '#model/checkpoint'
import { type Representation, representationsNamed } from '#representation/layers'
import { taskOptions, selectTasks } from '../../options/choose-tasks.ts'
import type { CommandRun } from '../../spec/command.ts'
import { allBut, refuseFlags, refuseWithout } from '../../options/acting-flags.ts'
import {
  flags as known,
  forServer,
  forTasks,
  forVectors,
  rerank,
  rerankLayers,
  rerankPrompt,
  server as serverFlag,
  serverArgs,
  top,
  type Flags,
} from './flags.ts'
import { planLines } from '../../sweep/plan-lines.ts'
import { choiceDocument, choiceLines } from './choice-lines.ts'
import { modelOptions, modelReferences, sweepOptions } from '../../options/model-options.ts'
import { printSweep } from '../../sweep/print-sweep.ts'

export const run: CommandRun<Flags> = async (args, flags, terminal) => {
  const references = modelReferences(args, flags)
  const { vectors, texts, representation: names = ['default'] } = flags
  const server = readServer(flags)
  const nobody = references.length === 0 && vectors === undefined && server === undefined
  refuseIdle(references.length, flags)
  const found = await selectTasks(flags, terminal)
  if (nobody) {
    if (flags.json === true) terminal.print(JSON.stringify(await choiceDocument(found)))
    else for (const line of await choiceLines(found)) terminal.print(line)
    return 0
  }
  const representationsOf = (model: Model): Promise<Representation[]> => representationsNamed(names, model)
  const shared = { ...sweepOptions(flags, terminal), ...taskOptions(found) }
  const models: Model[] = []
  let second: SecondStage | undefined
  try {
    for (const reference of references) models.push(await openModel(reference, modelOptions(flags, terminal)))
    if (vectors !== undefined && texts !== undefined)
      models.push(await openVectors({ vectors, texts, type: flags.vectorsType, signal: terminal.signal }))
    if (server !== undefined) models.push(await openEmbeddings(server, modelOptions(flags, terminal)))
    if (flags.rerank !== undefined) second = await openSecond(flags.rerank, flags, terminal)
    const asked = { ...shared, rerank: second }
    if (flags.dryRun === true) {
      for (const model of models) {
        const plan = await planSweep(model, { ...asked, representations: await representationsOf(model) })
        if (flags.json === true) terminal.print(JSON.stringify(plan))
        else for (const line of planLines(plan)) terminal.print(line)
      }
      return 0
    }
    return await printSweep(models, found, { ...asked, representationsOf }, flags, terminal)
  } finally {
    await Promise.all([...models, ...(second === undefined ? [] : [second.model])].map((model) => model.close()))
  }
}

function readServer({ model, model_args: settings }: Flags): OpenEmbeddingsOptions | undefined {
  return model === undefined ? undefined : embeddingArgs(model, settings)
}

/** Throws `usage.value`, `usage.conflict` for flags that would have no effect. */
function refuseIdle(references: number, flags: Flags): void {
  const { vectors, texts } = flags
  const nobody = references === 0 && vectors === undefined && flags.model === undefined
  if (nobody && flags.dryRun !== true)
    throw fault('usage.value', {
      place: 'models',
      what: 'no model is given',
      hint: 'give org/name, a folder, --merge RECIPE, --vectors with --texts, or --model with --model_args',
    })
  if ((vectors === undefined) !== (texts === undefined))
    throw fault('usage.value', {
      place: vectors === undefined ? '--vectors' : '--texts',
      what: 'vectors and their texts must be given together',
    })
  if (nobody)
    refuseFlags(flags, allBut(known, forTasks), { what: 'has no effect without a model', hint: 'name a model' })
  else if (references === 0)
    refuseFlags(
      flags,
      allBut(known, [...(vectors === undefined ? [] : forVectors), ...(flags.model === undefined ? [] : forServer)]),
      {
        what: `has no effect on ${vectors === undefined ? 'the vectors of a server' : 'recorded vectors'}`,
        hint: 'leave it out',
      },
    )
  if (vectors === undefined && flags.vectorsType !== undefined)
    throw fault('usage.conflict', { place: '--vectors-type', what: 'has no effect without --vectors' })
  refuseWithout(flags, rerank, [rerankLayers, rerankPrompt, top])
  refuseWithout(flags, serverFlag, [serverArgs])
}

/** Prompts, pooling and length of the command are the first model's. */
function openSecond(model: string, flags: Flags, terminal: Parameters<typeof modelOptions>[1]): Promise<SecondStage> {
  const { batchTokens, threads, device, engine, dtype, cacheDir, cacheLimit } = flags
  const { top, rerankLayers: layers, rerankPrompt: prompt } = flags
  const machine = { batchTokens, threads, device, engine, dtype, cacheDir, cacheLimit }
  return openSecondStage({ model, top, layers, prompt }, modelOptions(machine, terminal))
}
