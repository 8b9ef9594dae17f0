/** `strata harness`: runs tasks of lm-evaluation-harness on a language model. */
import { readFile } from 'node:fs/promises'
import { fault, type LanguageModel } from '#core'
import {
  checkSampleNames,
  type HarnessSettings,
  noticesFor,
  openData,
  openRecordedModel,
  openTasks,
  runIntoFolder,
  type TaskRun,
} from '#experiment/ask'
import { openModel, openServerModel } from '#experiment/open'
import { languageModelOf } from '#model/checkpoint'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { harnessLines } from './harness-lines.ts'
import { leaderboardLines } from '../../lines/leaderboard-lines.ts'
import { leaderboardOf, tasksOf } from '#task/harness'
import { type ModelArgs, modelArgs } from './model-args.ts'
import { cacheFolder, modelOptions } from '../../options/model-options.ts'
import { parseSettings } from '#model/server'

export const run: CommandRun<Flags> = async ([named], flags, terminal) => {
  const args = modelArgs(named, flags)
  const settings = await harnessSettings(flags)
  const calls = { signal: terminal.signal, onProgress: terminal.progress }
  const metadata = await jsonOf(flags.metadata, '--metadata')
  const from = { ...calls, cache: cacheFolder(flags), includePaths: flags.include_path, metadata }
  const nodes = await openTasks(tasksNamed(flags), from)
  await checkSampleNames(Object.keys(settings.samples ?? {}), nodes, from)
  const { language, close } = await openAsked(args, flags, terminal)
  if (tasksOf(nodes).some(({ config }) => config.outputType === 'generate_until'))
    for (const line of language.facts.unread ?? []) terminal.note(`notice  ${line}`)
  try {
    const {
      run: harness,
      document,
      results,
    } = await runIntoFolder({
      ...calls,
      model: language,
      nodes,
      settings,
      openDataset: openData(calls),
      outputPath: flags.output_path,
      useCache: flags.use_cache,
      logSamples: flags.log_samples === true,
      modelSource: flags.model ?? 'hf',
      modelArgs: args.text,
      modelName: args.kind === 'samples' ? language.facts.name : args.name,
      onTask: (task) => {
        if (flags.write_out === true) terminal.note(firstPrompt(task))
      },
    })
    if (results !== undefined) terminal.note(`results: ${results}`)
    if (flags.json === true) terminal.print(JSON.stringify(document))
    else {
      const leaderboard = leaderboardOf(
        harness.tasks.map(({ task, scores }) => ({ name: task.name, values: scores.values, size: scores.size })),
      )
      const named =
        leaderboard === undefined ? [] : ['', ...leaderboardLines([{ name: language.facts.name, leaderboard }])]
      for (const line of [...harnessLines(harness, nodes), ...named]) terminal.print(line)
    }
    for (const task of harness.tasks) for (const line of noticesFor(task)) terminal.note(`${task.task.name}: ${line}`)
    for (const { task, reason } of harness.failed)
      terminal.note(`${task.name} failed: ${reason.message}${reason.hint === undefined ? '' : ` (${reason.hint})`}`)
    return harness.failed.length > 0 ? 1 : 0
  } finally {
    await close()
  }
}

interface Asked {
  readonly language: LanguageModel
  readonly close: () => Promise<void>
}

async function openAsked(args: ModelArgs, flags: Flags, terminal: Terminal): Promise<Asked> {
  if (args.kind === 'samples')
    return {
      language: await openRecordedModel(args.folder, { seed: seedsOf(flags.seed).python }),
      close: async () => Promise.resolve(),
    }
  if (args.kind === 'server')
    return {
      language: await openServerModel(args.server, { signal: terminal.signal, onProgress: terminal.progress }),
      close: async () => Promise.resolve(),
    }
  const model = await openModel(
    args.reference,
    modelOptions(
      { ...args.machine, threads: flags.threads, batchTokens: flags.batchTokens, cacheDir: flags.cacheDir },
      terminal,
    ),
  )
  try {
    const chatTemplate = typeof flags.apply_chat_template === 'string' ? flags.apply_chat_template : undefined
    return {
      language: await languageModelOf(model, args.reference, { ...args.options, chatTemplate }),
      close: async () => model.close(),
    }
  } catch (error) {
    await model.close()
    throw error
  }
}

function tasksNamed({ tasks }: Flags): readonly string[] {
  if (tasks !== undefined && tasks.length > 0) return tasks
  throw fault('usage.flag', {
    place: '--tasks',
    what: 'no task is given',
    hint: 'give --tasks NAMES; strata tasks --harness lists them',
  })
}

async function harnessSettings(flags: Flags): Promise<HarnessSettings> {
  if (flags.limit !== undefined && flags.samples !== undefined)
    throw fault('usage.conflict', {
      place: '--samples',
      what: 'cannot be combined with --limit',
      hint: 'give one of the two',
    })
  const seeds = seedsOf(flags.seed)
  return {
    numFewshot: flags.num_fewshot,
    limit: flags.limit,
    samples: (await jsonOf(flags.samples, '--samples')) as HarnessSettings['samples'],
    systemInstruction: flags.system_instruction,
    applyChatTemplate: flags.apply_chat_template !== undefined && flags.apply_chat_template !== 'false',
    fewshotAsMultiturn: flags.fewshot_as_multiturn === undefined ? undefined : flags.fewshot_as_multiturn !== 'false',
    genKwargs: flags.gen_kwargs === undefined ? undefined : parseSettings(flags.gen_kwargs, '--gen_kwargs'),
    fewshotSeed: seeds.fewshot,
    seed: seeds.python,
    predictOnly: flags.predict_only === true,
    skipTooLong: flags.skipTooLong,
    bootstrapIterations: flags.bootstrap_iters,
  }
}

function seedsOf(text: string | undefined): { python: number | undefined; fewshot: number | undefined } {
  if (text === undefined) return { python: undefined, fewshot: undefined }
  const seeds = text.split(',').map((part) => (part.trim() === 'None' ? undefined : Number(part)))
  if (
    (seeds.length !== 1 && seeds.length !== 4) ||
    seeds.some((seed) => seed !== undefined && !Number.isSafeInteger(seed))
  )
    throw fault('usage.value', { place: '--seed', what: 'must be one whole number or four', seen: text })
  return { python: seeds[0], fewshot: seeds.length === 4 ? seeds[3] : seeds[0] }
}

/** JSON, or the name of a file that contains it. */
async function jsonOf(text: string | undefined, place: string): Promise<Record<string, unknown> | undefined> {
  if (text === undefined) return undefined
  const source = text.trimStart().startsWith('{') ? text : await readFile(text, 'utf8')
  return parseSettings(source, place)
}

function firstPrompt({ task, questions }: TaskRun): string {
  return `${task.name}, first prompt:\n${promptOf(questions[0]?.asked)}\n(end of the prompt)`
}

function promptOf(asked: TaskRun['questions'][number]['asked'] | undefined): string {
  if (asked === undefined) return ''
  if (asked.kind === 'loglikelihood') return asked.requests[0]?.context ?? ''
  return asked.kind === 'generate_until' ? asked.prompt : asked.text
}
