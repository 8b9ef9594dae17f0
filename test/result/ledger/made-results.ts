/** A finished and a failed result, with what a test wants changed. */
import type { Provenance, Result } from '#core'

export function sampleResult({
  strata,
  ...changes
}: Partial<Omit<Result, 'strata'>> & { strata?: Partial<Provenance> } = {}): Result {
  return {
    task_name: 'STS17',
    dataset_revision: 'faeb762787bd10488a50c8b5be4a3b82e411949c',
    mteb_version: '2.26.24',
    evaluation_time: 1.9,
    kg_co2_emissions: null,
    date: 1_760_000_000.5,
    scores: {
      test: [
        {
          main_score: 0.70692,
          cosine_spearman: 0.70692,
          cosine_pearson: 0.661287,
          hf_subset: 'en-en',
          languages: ['eng-Latn'],
        },
      ],
    },
    ...changes,
    strata: {
      status: 'ok',
      model: 'sentence-transformers/all-MiniLM-L6-v2',
      revision: '8b3219a92973c328a8e22fadcfa821b5dc75636a',
      representation: 'h3',
      profile: 'mteb-2',
      settings: { pooling: 'mean', maxLength: 256, prompt: null, dtype: 'f32' },
      fingerprint: '9c41',
      fingerprint_version: 2,
      version: '0.1.0',
      seconds: 1.9,
      ...strata,
    },
  }
}

export function sampleFailure(changes: Partial<Provenance> = {}): Result {
  const { task_name: task, strata } = sampleResult()
  return {
    task_name: task,
    strata: {
      ...strata,
      status: 'failed',
      code: 'task.empty',
      reason: 'no query left after language filter ["fr"]',
      ...changes,
    },
  }
}
