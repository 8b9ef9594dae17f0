/** The record of a distillation: every setting that the table depends on, and the gains by a corpus. */
import { sha256 } from '#core'
import { corpusSeed } from './distil-corpus.ts'
import type { Distilled, DistilPlan } from './distil-plan.ts'
import { leastGain } from './corpus-steps.ts'
import type { DistilSettings } from './distil-settings.ts'

export const recordFile = 'strata_distill.json'

/** Without a date: the same distillation writes the same bytes. */
export function distilledRecord(
  plan: DistilPlan,
  { dims, sif, remove, words, instruction, corpusSteps }: DistilSettings,
  made: Pick<Distilled, 'width' | 'explained' | 'steps'> & {
    readonly version: string
    readonly revision: string
    /** Tokens of a text that the model reads at most. */
    readonly maxLength: number
  },
): Record<string, unknown> {
  const { model, representation, pooling, tokens, clusters, dtype, corpus } = plan
  return {
    strata: made.version,
    model,
    revision: made.revision,
    representation,
    pooling,
    instruction: instruction === '' ? null : instruction,
    remove_pattern: remove === 'none' ? null : remove.source,
    words:
      words.length === 0 ? null : { count: words.length, sha256: sha256(words.map((word) => `${word}\n`).join('')) },
    tokens,
    pca_dims: dims,
    width: made.width,
    explained: made.explained,
    sif_coefficient: sif ?? null,
    vocabulary_quantization: clusters ?? null,
    dtype,
    corpus:
      corpus === undefined
        ? null
        : {
            ...corpus,
            max_length: made.maxLength,
            seed: corpusSeed,
            asked: corpusSteps,
            least_gain: leastGain,
            steps: made.steps,
          },
  }
}
