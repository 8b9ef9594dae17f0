/** What `strata aggregate` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { merge } from '../../flags/models.ts'
import { plot, background } from '../../flags/pictures.ts'
import { furtherReading } from '../../flags/reading.ts'
import { transform, sampleSize, trials, seed } from '../../flags/sampling.ts'
import { selecting } from '../../flags/selecting.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import {
  methods,
  lambda,
  similarity,
  similarityMatrix,
  quality,
  qualitySoftmax,
  qualityLog,
  qualityNormalise,
  clusters,
  components,
  dropDelta,
  maxLayers,
  layerNorm,
  pcaCorpus,
  tables,
  pooling,
} from './flags.ts'

export const command = {
  name: 'aggregate',
  group: 'combine',
  summary: 'try every way of combining layers and test whether any beats the best single layer',
  args: [['[models...]', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  flags: [
    ...selecting,
    merge,
    methods,
    lambda,
    similarity,
    similarityMatrix,
    quality,
    qualitySoftmax,
    qualityLog,
    qualityNormalise,
    clusters,
    components,
    dropDelta,
    maxLayers,
    layerNorm,
    pcaCorpus,
    transform,
    sampleSize,
    trials,
    seed,
    tables,
    plot,
    background,
    pooling,
    ...furtherReading,
    ...machine,
    ...everywhere,
  ],
  examples: [
    'strata aggregate sentence-transformers/all-MiniLM-L6-v2 --tasks STSBenchmark,Banking77Classification',
    'strata aggregate ./model --tasks "STS*" --methods weighted,cluster_pca --lambda 0.1,0.5,1 --similarity cka,rsa --tables tables',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
