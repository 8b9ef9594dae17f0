/** The schema of an experiment file. */
import { readScheme } from '#core'
import { qualityNames } from '#experiment/aggregate'
import { aggregations, policyNames, rewardKinds } from '#experiment/search'
import { zod } from '#files/formats'
import { embeddingKindNames } from '#model/server'
import { computeTypes, engineChoices, finalNorms } from '#model/passes'
import { kmeansProfiles } from '#platform/linalg'
import { layerNorms } from '#representation/layers'
import { probeControls, probeKinds, probeProfiles, taskTypes } from '#task/probing'
import { profileNames } from '#task/rows'

let made: ReturnType<typeof make> | undefined

/** Made once, when the first file is read. */
export function experimentSchema(): ReturnType<typeof make> {
  return (made ??= make())
}

export type ExperimentText = ReturnType<ReturnType<typeof make>['parse']>

function make() {
  const z = zod()
  const name = z.string().min(1)
  // an address would become a folder of its name
  const path = name.refine(
    (text) => readScheme(text) === undefined,
    'an address, and a folder of this machine is wanted',
  )
  const names = z.union([name.transform((one) => [one]), z.array(name).min(1)])
  const numbers = z.union([z.number().transform((one) => [one]), z.array(z.number()).min(1)])
  return z.strictObject({
    name: z
      .string()
      .regex(/^(?!\.+$)[\w.-]+$/, 'letters, digits, . _ and - only, and not dots alone')
      .optional(),
    models: names.optional(),
    /** Revisions of every model: a list, `all` or `every:n`. */
    revisions: names.optional(),
    merges: names.optional(),
    /** Servers of vectors, as of `strata evaluate --model KIND --model_args …`. */
    servers: z
      .array(
        z.strictObject({
          model: z.enum(embeddingKindNames),
          model_args: z.union([z.record(name, z.unknown()), name], {
            error: 'must be settings, or a text of them such as base_url=…,model=…',
          }),
        }),
      )
      .min(1)
      .optional(),
    /** Files of definitions that the other keys may name. */
    plugins: names.optional(),
    /** By locale, a subset of the tasks: models and recipes by type, and the sources of the recipes. */
    locales: z
      .record(
        name,
        z.strictObject({
          models: z.record(name, name),
          sources: z.record(name, z.strictObject({ model: name, weight: z.number().optional() })).optional(),
        }),
      )
      .optional(),
    representations: names.default(['all', 'default']),
    tasks: names.optional(),
    benchmarks: names.optional(),
    task_files: names.optional(),
    types: names.optional(),
    languages: names.optional(),
    splits: names.optional(),
    subsets: names.optional(),
    profile: z.enum(profileNames).optional(),
    kmeans: z.enum(kmeansProfiles).optional(),
    pooling: names.optional(),
    /** One for every model, or one by the name of a model. */
    max_length: z
      .union([z.number().int().positive(), z.record(name, z.number().int().positive())], {
        error: 'must be a whole number of 1 or greater, or one for each name of a model',
      })
      .optional(),
    final_norm: z.enum(finalNorms).optional(),
    prompt: z.string().optional(),
    /** Vectors scaled to length 1 before they are scored. */
    normalize: z.boolean().optional(),
    /** Second stage of every search, as of `strata evaluate --rerank`. */
    rerank: z
      .strictObject({
        model: name,
        top: z.number().int().positive().optional(),
        layers: z.number().int().positive().optional(),
        prompt: z.string().optional(),
      })
      .optional(),
    dtype: z.enum(computeTypes).optional(),
    engine: z.enum(engineChoices).optional(),
    aggregate: z
      .strictObject({
        methods: names.default(['all']),
        lambda: numbers.optional(),
        similarity: names.default(['cka']),
        quality: z.enum(qualityNames).default('validation'),
        layer_norm: z.enum(layerNorms).default('none'),
        /** A file of texts for similarities and principal axes; default: training texts of the tasks. */
        corpus: name.optional(),
        clusters: z.number().int().positive().optional(),
        components: z.number().int().positive().optional(),
        /** Folder of tables inside the experiment's folder, as of `strata aggregate --tables`. */
        tables: path.optional(),
      })
      .optional(),
    /** In place of every score: a policy chooses which checkpoint and layer to score next. */
    search: z
      .strictObject({
        policy: z.enum(policyNames).default('linucb'),
        budget: z.number().int().positive().default(50),
        alpha: z.number().nonnegative().default(1),
        layers: name.default('all'),
        /** Names of metrics, or a file of recorded ones. */
        context: name.optional(),
        baseline: name.optional(),
        reward: z.enum(rewardKinds).default('z'),
        aggregation: z.enum(aggregations).default('mean'),
        clip: z.number().nonnegative().optional(),
        floor: z.number().nonnegative().optional(),
      })
      .optional(),
    /** Tasks of lm-evaluation-harness, run on every model with a head for the next token. */
    harness: z
      .strictObject({
        tasks: names,
        num_fewshot: z.number().int().nonnegative().optional(),
        limit: z.number().positive().optional(),
        include_path: names.optional(),
        apply_chat_template: z.boolean().optional(),
        fewshot_as_multiturn: z.boolean().optional(),
        system_instruction: z.string().optional(),
        gen_kwargs: z.record(z.string(), z.unknown()).optional(),
        seed: z.number().int().nonnegative().optional(),
        fewshot_seed: z.number().int().nonnegative().optional(),
        bootstrap_iters: z.number().int().nonnegative().optional(),
        log_samples: z.boolean().default(true),
      })
      .optional(),
    /** Probing data as in `strata probe --data`. */
    probes: z
      .strictObject({
        data: names,
        only: names.optional(),
        layers: name.default('all'),
        task_types: z.array(z.enum(taskTypes)).min(1).optional(),
        controls: z.array(z.enum(probeControls)).min(1).optional(),
        probe: z.enum(probeKinds).default('linear'),
        profile: z.enum(probeProfiles).default('corrected'),
        mdl: z.boolean().default(false),
        train_portion: z.union([z.number(), name]).default(1),
        seeds: z.array(z.number().int().nonnegative()).min(1).default([0, 1, 2, 3, 4]),
      })
      .optional(),
    seeds: z
      .union([
        z
          .number()
          .int()
          .nonnegative()
          .transform((one) => [one]),
        z.array(z.number().int().nonnegative()).min(1),
      ])
      .default([42]),
    /** Folder of results; default: `results` in the experiment's own folder. */
    results: path.optional(),
    /** The old name of `results`. */
    output_folder: path.optional(),
    slurm: z
      .strictObject({
        partition: name.optional(),
        time: name.optional(),
        cpus: z.number().int().positive().optional(),
        gpus: z.number().int().nonnegative().optional(),
        memory: name.optional(),
        setup: names.optional(),
        workers: z.number().int().positive().optional(),
      })
      .optional(),
  })
}
