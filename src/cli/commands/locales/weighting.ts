/** Weights of a study by its flags: those of all its modes, and those of modes that have their own. */
import { fault, nearest, suggestion } from '#core'
import {
  type AccuracyTable,
  type Language,
  languageSimilarity,
  type LocaleTable,
  readAccuracies,
  readAccuracyFile,
  readSimilarity,
  readWeights,
  type ScoredModel,
  type StudyMode,
  type StudyOptions,
  type TargetSources,
  targetSources,
  type WeightMethod,
  type WeightOptions,
} from '#experiment/locales'
import { openModel } from '#experiment/open'
import type { Terminal } from '../../spec/command.ts'
import { refuseFlags } from '../../options/acting-flags.ts'
import { modelOptions } from '../../options/model-options.ts'
import { accuracies, choose, type Flags, lambda, similarityTexts, temperature, weights } from './flags.ts'
import { modelSimilarities, modelTable } from './model-similarity.ts'

interface Chosen extends Pick<StudyOptions, 'models' | 'targets' | 'modes'> {
  readonly known: ReadonlyMap<string, Language>
}

/** Modes that have weights of their own, whatever the weights of the study are. */
const ownWeights: readonly StudyMode[] = ['baseline', 'uriel', 'manual', 'real']

/** Throws `usage.value` for an unknown similarity, and `usage.conflict` for a flag that no mode reads. */
export async function weightingFor(
  flags: Flags,
  { known, models, targets, modes }: Chosen,
  terminal: Terminal,
): Promise<Pick<StudyOptions, 'table' | 'weightings' | keyof WeightOptions>> {
  const { similarity } = flags
  const method = methodOf(similarity)
  refuseIdle(flags, modes, method)
  const options: WeightOptions = {
    topK: flags.topK,
    temperature: flags.temperature === 'none' ? null : flags.temperature,
    includeTarget: flags.includeTarget,
  }
  const names = new Set(known.keys())
  const uses = (name: StudyMode): boolean => modes.includes(name) || similarity === name
  const uriel = languageSimilarity([...known.values()])
  const manual = uses('manual') ? await manualWeights(flags, names) : undefined
  const real = uses('real') ? await accuracyTable(flags, { models, known }, terminal) : undefined
  const table = await tableOf(flags, { uriel, real, known, models, targets }, terminal)
  const chosen = (from: LocaleTable): Promise<TargetSources> =>
    targetSources(from, targets, { ...options, models, choice: flags.choose, lambda: flags.lambda })
  const choosesByAll = flags.choose !== 'top-k' && modes.some((mode) => !ownWeights.includes(mode))
  const fromTable = choosesByAll ? await chosen(table) : undefined
  return {
    table,
    ...options,
    method,
    weightings: {
      similarity: similarity === 'manual' ? manual : fromTable,
      uriel: modes.includes('uriel') ? await chosen(uriel) : undefined,
      manual,
      real: real !== undefined && modes.includes('real') ? await chosen(real) : undefined,
    },
  }
}

function refuseIdle(flags: Flags, modes: readonly StudyMode[], method: WeightMethod): void {
  const { similarity } = flags
  for (const [name, flag] of [
    ['manual', weights],
    ['real', accuracies],
  ] as const)
    if (similarity !== name && !modes.includes(name))
      refuseFlags(flags, [flag], {
        what: `has no effect without the weights ${name}`,
        hint: `add --mode ${name} or --similarity ${name}, or leave it out`,
      })
  if (similarity !== 'hidden-states')
    refuseFlags(flags, [similarityTexts], {
      what: `has no effect on --similarity ${similarity}`,
      hint: 'add --similarity hidden-states, or leave it out',
    })
  if (method !== 'top-k' || similarity === 'manual')
    refuseFlags(flags, [choose], {
      what: `has no effect on --similarity ${similarity}`,
      hint: 'choose from --similarity uriel, real, task-vectors, hidden-states or a .csv',
    })
  if (flags.choose === 'top-k')
    refuseFlags(flags, [lambda], { what: 'has no effect on --choose top-k', hint: 'add --choose qp' })
  else
    refuseFlags(flags, [temperature], {
      what: `has no effect on --choose ${flags.choose}`,
      hint: 'leave it out; --lambda is the price of similar sources',
    })
}

async function manualWeights({ weights: path }: Flags, names: ReadonlySet<string>): Promise<TargetSources> {
  if (path !== undefined) return readWeights(path, names)
  throw fault('usage.value', {
    place: 'manual',
    what: 'the weights are not given',
    hint: 'give --weights FILE, a .csv or .json with target, source and weight',
  })
}

/** Throws `usage.value` where no accuracies are given. A notice says when they are those of the test split. */
async function accuracyTable(
  flags: Flags,
  { models, known }: Pick<Chosen, 'models' | 'known'>,
  terminal: Terminal,
): Promise<AccuracyTable> {
  const { accuracies: path } = flags
  if (path === undefined)
    throw fault('usage.value', {
      place: 'real',
      what: 'the accuracies are not given',
      hint: 'give --accuracies, a folder of results or a .csv of sources × targets',
    })
  if (path.endsWith('.csv')) return readAccuracyFile(path, known)
  const found = await readAccuracies(path, await scoredModels(models, flags, terminal))
  if (found.split === 'test')
    terminal.note(
      `notice  ${path}: accuracies on the test split choose the sources in hindsight; strata evaluate --splits validation makes fair ones`,
    )
  return found
}

/** Without the models that cannot be opened: the study says of them why. */
async function scoredModels(
  models: ReadonlyMap<string, string>,
  flags: Flags,
  terminal: Terminal,
): Promise<ReadonlyMap<string, ScoredModel>> {
  const found = new Map<string, ScoredModel>()
  for (const [locale, reference] of models) {
    try {
      const model = await openModel(reference, modelOptions({ ...flags, pooling: undefined }, terminal))
      const representation = ['default', ...model.overrides].join('+')
      found.set(locale, { name: model.name, revision: await model.revision(), representation })
      await model.close()
    } catch {
      terminal.signal.throwIfAborted()
    }
  }
  return found
}

interface Tables extends Omit<Chosen, 'modes'> {
  readonly uriel: LocaleTable
  readonly real: LocaleTable | undefined
}

async function tableOf(
  flags: Flags,
  { uriel, real, known, ...study }: Tables,
  terminal: Terminal,
): Promise<LocaleTable> {
  const { similarity } = flags
  if (similarity.endsWith('.csv')) return readSimilarity(similarity, known)
  const ofModels = modelSimilarities.find((one) => one === similarity)
  if (ofModels !== undefined) return modelTable(ofModels, study, flags, terminal)
  return similarity === 'real' && real !== undefined ? real : uriel
}

function methodOf(similarity: string): WeightMethod {
  if (similarity === 'sinkhorn' || similarity === 'sinkhorn-legacy') return similarity
  const names = ['uriel', 'sinkhorn', 'sinkhorn-legacy', 'manual', 'real', ...modelSimilarities]
  if (similarity.endsWith('.csv') || names.includes(similarity)) return 'top-k'
  throw fault('usage.value', {
    place: '--similarity',
    what: 'no such similarity',
    seen: similarity,
    hint: nearest(similarity, names) === undefined ? `${names.join(', ')}, or a .csv` : suggestion(similarity, names),
  })
}
