/** `strata locales`: writes a study as an experiment, runs it, and compares its scores. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asFault, fault, nearest, quantity, suggestion } from '#core'
import {
  languages,
  languageSimilarity,
  type LocaleTable,
  modelsByLocale,
  readSimilarity,
  type StudyMode,
  studyModes,
  makeStudy,
  targetsBetween,
  toLocale,
  type WeightMethod,
  writeStudy,
} from '#experiment/locales'
import { openModel } from '#experiment/open'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import { modelOptions } from '../../options/model-options.ts'
import { runFile } from '../../experiment/run-file.ts'
import { compareStudy } from './aggregate.ts'
import { writeLayout } from './layout.ts'
import { writeModels } from './write-models.ts'
import { overwrite } from '../../flags/writing.ts'
import { type Flags, models as modelsFlag, writingModels } from './flags.ts'

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
  const { table, method } = await similarityFor(flags, known)
  const modes = modesOf(flags)
  const found = makeStudy({
    models,
    targets,
    modes,
    table,
    method,
    base: flags.baseModel,
    topK: flags.topK,
    temperature: flags.temperature === 'none' ? null : flags.temperature,
    includeTarget: flags.includeTarget,
  })
  const folder = flags.results
  const settings = { tasks: 'MASSIVEIntent', max_length: flags.maxLength }
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
  const file = await writeStudy(folder, found, settings)
  terminal.note(`study written to ${file}`)
  // with --json, what it prints about its jobs is a notice
  const said: Terminal = flags.json === true ? { ...terminal, print: (line) => terminal.note(line) } : terminal
  const code = await runFile([file], running, said)
  const scores = await compareStudy(folder, flags, terminal)
  if (flags.layout !== undefined)
    for (const path of await writeLayout(
      folder,
      { study: found, scores, known, table, models, targets, modes },
      flags,
      terminal,
    ))
      terminal.note(`written to ${path}`)
  const merged =
    flags.writeModels === true
      ? await writeModels(folder, { study: found, known, subfolder: flags.subfolder }, flags, terminal)
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

async function similarityFor(
  { similarity }: Flags,
  known: Awaited<ReturnType<typeof languages>>,
): Promise<{ readonly table: LocaleTable; readonly method: WeightMethod }> {
  const own = languageSimilarity([...known.values()])
  if (similarity === 'uriel') return { table: own, method: 'top-k' }
  if (similarity === 'sinkhorn' || similarity === 'sinkhorn-legacy') return { table: own, method: similarity }
  if (similarity.endsWith('.csv')) return { table: await readSimilarity(similarity, known), method: 'top-k' }
  const names = ['uriel', 'sinkhorn', 'sinkhorn-legacy']
  throw fault('usage.value', {
    place: '--similarity',
    what: 'no such similarity',
    seen: similarity,
    hint: nearest(similarity, names) === undefined ? `${names.join(', ')}, or a .csv` : suggestion(similarity, names),
  })
}
