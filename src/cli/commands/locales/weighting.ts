/** Weights of a study by its flags: those of all its modes, and those of modes that have their own. */
import { fault, nearest, suggestion } from '#core'
import {
  type Language,
  languageSimilarity,
  readSimilarity,
  readWeights,
  type StudyMode,
  type StudyOptions,
  type TargetSources,
  targetSources,
  type WeightMethod,
  type WeightOptions,
} from '#experiment/locales'
import { refuseFlags } from '../../options/acting-flags.ts'
import { type Flags, weights as weightsFlag } from './flags.ts'

interface Chosen extends Pick<StudyOptions, 'models' | 'targets' | 'modes'> {
  readonly known: ReadonlyMap<string, Language>
}

/** Throws `usage.value` for an unknown similarity, and `usage.conflict` for a file that no mode reads. */
export async function weightingFor(
  flags: Flags,
  { known, models, targets, modes }: Chosen,
): Promise<Pick<StudyOptions, 'table' | 'weightings' | keyof WeightOptions>> {
  const { similarity } = flags
  const options: WeightOptions = {
    topK: flags.topK,
    temperature: flags.temperature === 'none' ? null : flags.temperature,
    includeTarget: flags.includeTarget,
  }
  const uses = (name: StudyMode): boolean => modes.includes(name) || similarity === name
  const uriel = languageSimilarity([...known.values()])
  const manual = uses('manual') ? await manualWeights(flags, known) : undefined
  if (manual === undefined)
    refuseFlags(flags, [weightsFlag], {
      what: 'has no effect without manual weights',
      hint: 'add --mode manual or --similarity manual, or leave it out',
    })
  return {
    table: similarity.endsWith('.csv') ? await readSimilarity(similarity, new Set(known.keys())) : uriel,
    ...options,
    method: methodOf(similarity),
    weightings: {
      ...(similarity === 'manual' ? { similarity: manual } : {}),
      uriel: modes.includes('uriel') ? targetSources(uriel, targets, { ...options, models }) : undefined,
      manual,
    },
  }
}

async function manualWeights({ weights }: Flags, known: ReadonlyMap<string, Language>): Promise<TargetSources> {
  if (weights !== undefined) return readWeights(weights, new Set(known.keys()))
  throw fault('usage.value', {
    place: 'manual',
    what: 'the weights are not given',
    hint: 'give --weights FILE, a .csv or .json with target, source and weight',
  })
}

function methodOf(similarity: string): WeightMethod {
  if (similarity === 'sinkhorn' || similarity === 'sinkhorn-legacy') return similarity
  const names = ['uriel', 'sinkhorn', 'sinkhorn-legacy', 'manual']
  if (similarity.endsWith('.csv') || names.includes(similarity)) return 'top-k'
  throw fault('usage.value', {
    place: '--similarity',
    what: 'no such similarity',
    seen: similarity,
    hint: nearest(similarity, names) === undefined ? `${names.join(', ')}, or a .csv` : suggestion(similarity, names),
  })
}
