/** The three files that layer-aggregation's README describes – models, aggregation, experiment – as one experiment. */
import { fault } from '#core'
import { zod } from '#files/formats'
import type { Converted } from './from-layersweep.ts'

export function stageSchema() {
  const z = zod()
  return z.strictObject({
    models: z
      .array(
        z.strictObject({
          name: z.string(),
          max_length: z.number().int().positive().optional(),
          batch_size: z.number().optional(),
        }),
      )
      .min(1)
      .optional(),
    aggregation: z
      .strictObject({
        methods: z.array(z.string()).min(1),
        optimization: z
          .strictObject({
            lambda_penalty: z.number().optional(),
            drop_delta: z.number().optional(),
            max_layers: z.number().int().nullable().optional(),
          })
          .optional(),
        pca: z
          .strictObject({
            output_dim: z.number().int().positive().optional(),
            n_sentences: z.number().int().optional(),
            batch_size: z.number().optional(),
          })
          .optional(),
      })
      .optional(),
    experiment: z
      .strictObject({
        similarity_metrics: z.array(z.string()).min(1).optional(),
        mteb_categories: z.array(z.string()).min(1).optional(),
        evaluation: z
          .strictObject({ batch_size: z.number().optional(), languages: z.array(z.string()).optional() })
          .optional(),
      })
      .optional(),
  })
}

type Stages = ReturnType<ReturnType<typeof stageSchema>['parse']>

/** All tasks, as the README counts them. */
const usualBenchmark = 'MTEB(eng, v1)'

/** Settings that an experiment supports only at their defaults. */
const fixed = { drop_delta: 0.15, max_layers: null, n_sentences: 30_000 } as const

/**
 * The categories are those of the English benchmark of 56 tasks, which the README lists. `placeOf`: the file that has a
 * stage. Throws `usage.conflict` for settings that an experiment has no key for.
 */
export function fromStageConfigs(
  { models, aggregation, experiment }: Stages,
  placeOf: (stage: keyof Stages) => string,
): Converted {
  const length = lengthOf(models)
  checkFixed(aggregation, placeOf('aggregation'))
  const lambda = aggregation?.optimization?.lambda_penalty
  const metrics = experiment?.similarity_metrics?.map((name) =>
    name
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toLowerCase()
      .replace(/_similarity$/, ''),
  )
  return {
    experiment: {
      ...(models === undefined ? {} : { models: models.map(({ name }) => name) }),
      ...(length === undefined ? {} : { max_length: length }),
      ...(experiment?.mteb_categories === undefined
        ? {}
        : { types: experiment.mteb_categories, benchmarks: [usualBenchmark] }),
      ...(experiment?.evaluation?.languages === undefined ? {} : { languages: experiment.evaluation.languages }),
      ...(aggregation === undefined
        ? {}
        : {
            aggregate: {
              methods: aggregation.methods.map((name) => (name === 'best_single' ? 'best' : name)),
              ...(lambda === undefined ? {} : { lambda: [lambda] }),
              ...(metrics === undefined ? {} : { similarity: metrics }),
              ...(aggregation.pca?.output_dim === undefined ? {} : { components: aggregation.pca.output_dim }),
              tables: 'tables',
            },
          }),
    },
    notices:
      experiment?.mteb_categories === undefined
        ? []
        : [`mteb_categories: the tasks of ${usualBenchmark}; benchmarks in an experiment names others`],
  }
}

/** Throws `usage.conflict` for a setting that an experiment has no key for. */
function checkFixed(aggregation: Stages['aggregation'], place: string): void {
  const asked = { ...aggregation?.optimization, n_sentences: aggregation?.pca?.n_sentences }
  for (const [key, usual] of Object.entries(fixed)) {
    const own = asked[key as keyof typeof fixed]
    if (own !== undefined && own !== usual)
      throw fault('usage.conflict', {
        place: `${place}: ${key}`,
        what: 'an experiment has no key for it',
        seen: own,
        wanted: String(usual),
        hint: 'strata aggregate has flags',
      })
  }
}

/** One length where all models have the same, otherwise one by the name of a model. */
function lengthOf(models: Stages['models']): number | Readonly<Record<string, number>> | undefined {
  const lengths = (models ?? []).flatMap(({ name, max_length: length }) =>
    length === undefined ? [] : [[name, length] as const],
  )
  const [first] = lengths
  const isSame = lengths.length === models?.length && lengths.every(([, length]) => length === first?.[1])
  if (first === undefined) return undefined
  return isSame ? first[1] : Object.fromEntries(lengths)
}
