/** Configurations of mteb-layersweep (layers of Pythia checkpoints on MTEB) as experiments. */
import { fault } from '#core'
import { zod } from '#files/formats'
import { adler32 } from './adler32.ts'

export interface Converted {
  /** Keys of an experiment file and their values. */
  readonly experiment: Readonly<Record<string, unknown>>
  /** Settings of the file that have no meaning here. */
  readonly notices: readonly string[]
}

/** From the environment, which may split a configuration into shards. */
export interface Shard {
  readonly onlySize?: string | undefined
  readonly count?: number | undefined
  readonly id?: number | undefined
}

/** Its keys with the defaults of its code. */
export function layersweepSchema() {
  const z = zod()
  const sizes = z.array(z.string()).min(1)
  return z.strictObject({
    run: z
      .strictObject({
        output_root: z.string().default('runs'),
        seed: z.number().int().nonnegative().default(42),
        run_id: z.string().nullable().default(null),
      })
      .prefault({}),
    hf: z.strictObject({
      org: z.string().default('EleutherAI'),
      model_family: z.string().default('Pythia'),
      model_sizes: sizes.default(['14m', '70m', '410m']),
      revisions: sizes.default(['main']),
    }),
    embedding: z
      .strictObject({
        pooling: z.string().default('mean'),
        normalize: z.boolean().default(true),
        max_length: z.number().int().positive().default(2048),
        batch_size: z.number().int().positive().default(64),
        device: z.string().default('auto'),
        dtype: z.string().default('auto'),
        layers: z.union([z.literal('all'), z.array(z.number().int().nonnegative()).min(1)]).default('all'),
      })
      .prefault({}),
    mteb: z
      .strictObject({
        tasks_preset: z.string().nullable().default('layer_by_layer_32'),
        tasks: z.array(z.string()).default([]),
      })
      .prefault({}),
    execution: z
      .strictObject({ fail_fast: z.boolean().default(false), resume: z.boolean().default(true) })
      .prefault({}),
    bandit: z
      .strictObject({
        enabled: z.boolean().default(false),
        algorithm: z.string().default('linUCB'),
        alpha: z.number().default(1),
        budget: z.number().int().positive().default(100),
        baseline_checkpoint: z.string().default('main'),
      })
      .prefault({}),
    metrics: z.record(z.string(), z.unknown()).optional(),
    rewards: z.record(z.string(), z.unknown()).optional(),
  })
}

type Layersweep = ReturnType<ReturnType<typeof layersweepSchema>['parse']>

/**
 * Block b is hidden state b + 1. A task belongs to a shard when Adler-32 of its name, modulo the number of shards, is
 * the shard's index. `expand`: replaces presets by the tasks that they stand for. Throws `usage.conflict` for a shard or
 * size that leaves nothing, and for a policy that is not known.
 */
export function fromLayersweep(
  config: Layersweep,
  { shard, expand, place }: { shard: Shard; expand: (names: readonly string[]) => readonly string[]; place: string },
): Converted {
  const { run, hf, embedding, mteb, execution, bandit, metrics, rewards } = config
  const models = hf.model_sizes
    .filter((size) => shard.onlySize === undefined || size === shard.onlySize)
    .map((size) => `${hf.org}/${hf.model_family.toLowerCase()}-${size}`)
  const revisions = hf.revisions.map((name) => name.replace(/^step-/, 'step'))
  const { count, id = 0 } = shard
  const all = expand(mteb.tasks.length > 0 ? mteb.tasks : [mteb.tasks_preset ?? 'layer_by_layer_32'])
  const tasks = count === undefined ? all : all.filter((name) => adler32(name) % count === id)
  if (models.length === 0)
    throw fault('usage.conflict', {
      place: 'LAYER_TIME_ONLY_SIZE',
      what: 'no such size in the file',
      seen: shard.onlySize,
      wanted: hf.model_sizes.join(', '),
    })
  if (tasks.length === 0)
    throw fault('usage.conflict', {
      place: 'LAYER_TIME_SHARD_ID',
      what: 'no task is of this shard',
      seen: `${id} of ${count ?? 1}`,
    })
  return {
    experiment: {
      ...(run.run_id === null ? {} : { name: run.run_id }),
      models,
      revisions,
      representations: embedding.layers === 'all' ? ['all'] : embedding.layers.map((block) => `h${block + 1}`),
      tasks,
      pooling: [embedding.pooling],
      max_length: embedding.max_length,
      ...(embedding.normalize ? { normalize: true } : {}),
      ...(bandit.enabled ? { search: toSearch(config, place) } : {}),
      seeds: [run.seed],
    },
    notices: [
      ...(embedding.layers === 'all'
        ? ['embedding.layers: all means all hidden states here, including h0, the token embeddings']
        : []),
      ...(embedding.dtype === 'auto' || embedding.dtype === 'float32'
        ? []
        : [`embedding.dtype: ${embedding.dtype} is computed in float32; dtype in the experiment says otherwise`]),
      ...(execution.fail_fast ? ['execution.fail_fast: a failed job is a result, and the others continue'] : []),
      ...(metrics === undefined
        ? []
        : [
            bandit.enabled
              ? 'metrics: those of the search are computed on 500 texts of the tasks'
              : 'metrics: strata metrics computes them',
          ]),
      ...(rewards === undefined || bandit.enabled
        ? []
        : ['rewards: they belong to searches; bandit.enabled makes one']),
    ],
  }
}

/** Words of mteb-layersweep whose mean has another name here. */
const aggregations: Readonly<Record<string, string>> = { harmonic_mean: 'harmonic', robust_mean: 'median' }

/** The bandit of every size: its arms are the layers of the revisions, its context the four core metrics. */
function toSearch({ embedding, bandit, rewards }: Layersweep, place: string): Readonly<Record<string, unknown>> {
  if (!/^linucb$/i.test(bandit.algorithm))
    throw fault('usage.conflict', {
      place: `${place}: bandit.algorithm`,
      what: 'no such policy',
      seen: bandit.algorithm,
      wanted: 'linUCB',
    })
  const { aggregation_method: asked } = rewards ?? {}
  const aggregation = typeof asked === 'string' && Object.hasOwn(aggregations, asked) ? aggregations[asked] : asked
  return {
    policy: 'linucb',
    budget: bandit.budget,
    alpha: bandit.alpha,
    ...(embedding.layers === 'all' ? {} : { layers: embedding.layers.map((block) => block + 1).join(',') }),
    context: 'core',
    baseline: bandit.baseline_checkpoint.replace(/^step-/, 'step'),
    ...(aggregation === undefined ? {} : { aggregation }),
  }
}
