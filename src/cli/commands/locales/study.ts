/** `strata locales`: writes a study as an experiment, runs it, and compares its scores. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { asFault, fault, quantity, suggestion } from '#core'
import {
  languages,
  modelsByLocale,
  type StudyMode,
  type StudyMoments,
  studyModes,
  makeStudy,
  targetsBetween,
  toLocale,
  writeStudy,
} from '#experiment/locales'
import { writeMoments } from '#experiment/moments'
import { openModel } from '#experiment/open'
import { chooseTasks } from '#task/registry'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { refuseFlags, refuseWithout } from '../../options/acting-flags.ts'
import { modelOptions } from '../../options/model-options.ts'
import { runFile } from '../../experiment/run-file.ts'
import { compareStudy } from './aggregate.ts'
import { layoutAlong, writeLayout } from './layout.ts'
import { writeModels } from './write-models.ts'
import { overwrite } from '../../flags/writing.ts'
import { type Flags, models as modelsFlag, momentTexts, writingModels } from './flags.ts'
import { studyTask } from './model-similarity.ts'
import { weightingFor } from './weighting.ts'

/** Flags of `strata run` that a study leaves to it: `strata run DIR/locales.yaml --out DIR --on slurm`. */
const elsewhere = {
  status: undefined,
  cancel: undefined,
  worker: undefined,
  partition: undefined,
  time: undefined,
  cpus: undefined,
  gpus: undefined,
  memory: undefined,
  setup: undefined,
}

/** Returns 1 when some model or score failed. */
export const study: CommandRun<Flags> = async (_, flags, terminal) => {
  refuseWithout(flags, modelsFlag, [])
  refuseWithout(flags, writingModels, [overwrite])
  if (flags.models === undefined)
    throw fault('usage.value', {
      place: 'strata locales',
      what: 'no models are given',
      hint: 'give --models ./models/{locale}, a folder of them, or a .csv of locale and model_name',
    })
  const known = await languages()
  const models = await modelsByLocale(flags.models, { known: [...known.keys()], subfolder: flags.subfolder })
  const named = flags.locales?.map((word) => toLocale(word, known))
  const targets = targetsBetween([...new Set(named ?? models.keys())].toSorted(), {
    startFrom: flags.startFrom,
    most: flags.maxLocales,
  })
  if (flags.listLocales === true) {
    targets.forEach((target, at) =>
      terminal.print(flags.json === true ? JSON.stringify({ at, locale: target }) : `${at}  ${target}`),
    )
    return 0
  }
  const modes = modesOf(flags)
  if (!modes.includes('fisher') && !modes.includes('regmean'))
    refuseFlags(flags, [momentTexts], {
      what: 'has no effect without fisher or regmean',
      hint: 'add one of them to --mode, or leave it out',
    })
  const weighting = await weightingFor(flags, { modes, models, targets, known }, terminal)
  const momentsFolder = join(flags.results, 'moments')
  const found = makeStudy({ models, targets, modes, base: flags.baseModel, momentsFolder, ...weighting })
  const folder = flags.results
  const settings = { tasks: studyTask, max_length: flags.maxLength }
  const running = { ...elsewhere, ...flags, on: 'local' as const, out: folder, json: undefined }
  if (flags.dryRun === true) {
    const missing = await missingModels([...new Set(models.values())], flags, terminal)
    for (const line of missing) terminal.print(line)
    if (missing.length > 0) return 1
    const scratch = await mkdtemp(join(tmpdir(), 'strata-locales-'))
    try {
      const file = await writeStudy(scratch, found, settings)
      return await runFile([file], { ...running, json: flags.json }, terminal)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }
  await computeMoments(found.moments, flags, terminal)
  const file = await writeStudy(folder, found, settings)
  terminal.note(`study written to ${file}`)
  // with --json, what it prints about its jobs is a notice
  const said: Terminal = flags.json === true ? { ...terminal, print: (line) => terminal.note(line) } : terminal
  const laid = { study: found, known, table: weighting.table, models, targets, modes }
  const onChange = flags.layout === undefined ? undefined : await layoutAlong(folder, file, laid, flags, terminal)
  const code = await runFile([file], running, said, { onChange })
  await onChange?.()
  const scores = await compareStudy(folder, flags, terminal)
  if (flags.layout !== undefined)
    for (const path of await writeLayout(folder, laid, scores, flags, terminal)) terminal.note(`written to ${path}`)
  const merged =
    flags.writeModels === true
      ? await writeModels(folder, { study: found, known, models, subfolder: flags.subfolder }, flags, terminal)
      : 0
  return Math.max(merged, scores.unreadable.length > 0 ? 1 : code)
}

/** Every model that cannot be opened, with the reason; nothing is downloaded but headers. */
async function missingModels(references: readonly string[], flags: Flags, terminal: Terminal): Promise<string[]> {
  const missing: string[] = []
  for (const reference of references) {
    try {
      await (await openModel(reference, modelOptions({ ...flags, pooling: undefined }, terminal))).close()
    } catch (error) {
      missing.push(`missing  ${asFault(error, 'internal', reference).message}`)
    }
  }
  if (missing.length > 0) terminal.note(`${quantity(missing.length, 'model')} of ${references.length} cannot be opened`)
  return missing
}

/** A source that fails is reported; the merges that need it fail by its name, and the others run. */
async function computeMoments(moments: readonly StudyMoments[], flags: Flags, terminal: Terminal): Promise<void> {
  if (moments.length === 0) return
  const { signal, progress: onProgress } = terminal
  const [task] = (await chooseTasks([studyTask])).tasks
  if (task === undefined) throw fault('internal', { place: studyTask, what: 'no such task' })
  for (const { kind, locale, model, path } of moments)
    try {
      await mkdir(dirname(path), { recursive: true })
      const settings = { kind, task, subset: locale, texts: flags.momentTexts, maxLength: flags.maxLength }
      const { texts, reused } = await writeMoments(model, path, { ...settings, signal, onProgress })
      if (!reused) terminal.note(`${path} written: ${quantity(texts, 'text')}`)
    } catch (error) {
      signal.throwIfAborted()
      terminal.note(`failed  ${path}: ${asFault(error, 'internal', model).message}`)
    }
}

function modesOf({ mode, skipBaseline, skipSimilarity, skipAverage }: Flags): readonly StudyMode[] {
  const skipped = Object.entries({ baseline: skipBaseline, similarity: skipSimilarity, average: skipAverage }).flatMap(
    ([name, given]) => (given === true ? [name] : []),
  )
  const named = (mode ?? ['baseline', 'similarity', 'average']).map((word) => {
    const found = studyModes.find((one) => one === word)
    if (found === undefined)
      throw fault('usage.value', {
        place: '--mode',
        what: 'no such mode',
        seen: word,
        hint: suggestion(word, studyModes),
      })
    return found
  })
  return named.filter((one) => !skipped.includes(one))
}
