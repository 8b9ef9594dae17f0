/** Configurations of other programs, recognised by their keys, as the text of an experiment file. */
import { fault, type Fault } from '#core'
import { checkYaml, isObject, parseYaml } from '#files/formats'
import { expandTasks } from '#task/registry'
import { type Converted, fromLayersweep, layersweepSchema, type Shard } from './from-layersweep.ts'
import { fromStageConfigs, stageSchema } from './from-stage-configs.ts'

export interface Foreign {
  readonly kind: 'layersweep' | 'stages'
  readonly text: string
  readonly notices: readonly string[]
  readonly flaws: readonly Fault[]
}

/**
 * Several files are the stages of one configuration. Undefined for an experiment file. Throws `usage.conflict` for
 * several files that are not stages.
 */
export function foreignExperiment(
  files: readonly { readonly path: string; readonly text: string }[],
  shard: Shard,
): Foreign | undefined {
  const [first = { path: '', text: '' }] = files
  const values = files.map(({ path, text }) => parseYaml(text, path))
  if (files.length === 1 && isObject(values[0]) && 'hf' in values[0]) {
    const { path, text } = first
    const checked = checkYaml(layersweepSchema(), text, path)
    if ('flaws' in checked) return { kind: 'layersweep', text, notices: [], flaws: checked.flaws }
    return written('layersweep', fromLayersweep(checked.value, { shard, expand: expandTasks, place: path }), path)
  }
  const staged = values.filter((value) => isObject(value) && isStage(value)).length
  if (staged === 0 && files.length === 1) return undefined
  if (staged < files.length)
    throw fault('usage.conflict', {
      place: files.map(({ path }) => path).join(', '),
      what: 'several files are stages of one experiment: models, aggregation, experiment',
    })
  const checked = files.map(({ path, text }) => checkYaml(stageSchema(), text, path))
  const flaws = checked.flatMap((one) => ('flaws' in one ? one.flaws : []))
  if (flaws.length > 0) return { kind: 'stages', text: first.text, notices: [], flaws }
  const whole = Object.assign({}, ...checked.map((one) => ('value' in one ? one.value : {}))) as Parameters<
    typeof fromStageConfigs
  >[0]
  const placeOf = (stage: string): string =>
    files.find((_, at) => isObject(values[at]) && stage in values[at])?.path ?? first.path
  return written('stages', fromStageConfigs(whole, placeOf), first.path)
}

/** An experiment's `models` is a list of names, theirs is a list of entries. */
function isStage(value: Readonly<Record<string, unknown>>): boolean {
  const { models } = value
  return (
    isObject(value['aggregation']) ||
    isObject(value['experiment']) ||
    (Array.isArray(models) && models.some((one) => isObject(one)))
  )
}

function written(kind: Foreign['kind'], { experiment, notices }: Converted, path: string): Foreign {
  const lines = Object.entries(experiment).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return { kind, text: `# from ${path}\n${lines.join('\n')}\n`, notices, flaws: [] }
}
