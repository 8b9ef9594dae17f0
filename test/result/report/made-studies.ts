/** Studies as people make them, with made-up scores: a merge on 127 tasks, layers of checkpoints, combinations of layers. */
import type { RecordedScores } from '#result/report'
import { writeChoice, writeResult } from '#result/ledger'
import { sampleResult } from '../ledger/made-results.ts'

/** In 0 … 1, the same for the same arguments. */
function noise(...parts: readonly number[]): number {
  const value = Math.sin(parts.reduce((sum, part, at) => sum + part * (12.9898 + 65.233 * at), 1)) * 43_758.5453
  return value - Math.floor(value)
}

const suites = { blimp: 67, mmlu: 57, other: 3 } as const
const words = [
  'determiner_noun_agreement_with_adjective',
  'wh_questions_subject_gap',
  'high_school_statistics',
  'island',
]

export const mergeTasks: readonly string[] = Object.entries(suites).flatMap(([suite, count]) =>
  Array.from({ length: count }, (_, i) =>
    suite === 'other' ? `task${i}` : `${suite}_${words[i % words.length] ?? ''}_${i}`,
  ),
)

/** A base, two fine-tunes and four merges; the first two are the parents. */
export const mergeRows: readonly string[] = ['org/chat', 'org/code', 'org/base', 'ties', 'dare_ties', 'linear', 'slerp']

export function mergeStudy(): RecordedScores[] {
  return mergeRows.map((model, m) => ({
    model,
    rows: mergeTasks.map((task, t) => ({
      checkpoint: 'main',
      layer: 'default',
      task,
      score: 0.3 + 0.4 * noise(t) + 0.02 * m * noise(m, t),
    })),
  }))
}

/** 14 checkpoints × 25 layers on 6 tasks. */
export function arms(): RecordedScores[] {
  const rows = Array.from({ length: 14 }, (_, c) =>
    Array.from({ length: 25 }, (_, h) =>
      Array.from({ length: 6 }, (_, t) => ({
        checkpoint: `step${2 ** c}`,
        layer: `h${h}`,
        task: `MassiveIntentClassification${t}`,
        score: 0.2 + 0.02 * c + 0.01 * h - 0.0004 * h * h + 0.05 * noise(t, c, h),
      })),
    ),
  )
  return [{ model: 'org/pythia-410m', rows: rows.flat(2) }]
}

/** Layers, default, three methods at two λ each, and what validation chose, on two tasks. */
export async function aggregateFolder(root: string): Promise<string> {
  const place = { root, model: 'sentence-transformers/all-MiniLM-L6-v2', revision: 'main' }
  for (const [t, task] of ['AmazonCounterfactualClassification', 'STSBenchmark'].entries()) {
    const write = (representation: string, score: number, combination?: unknown) =>
      writeResult(
        root,
        sampleResult({
          task_name: task,
          scores: { test: [{ main_score: score, hf_subset: 'default', languages: [] }] },
          strata: {
            model: place.model,
            revision: place.revision,
            representation,
            settings: combination === undefined ? {} : { combination },
          },
        }),
      )
    for (let h = 0; h < 7; h++) await write(`h${h}`, 0.5 + 0.05 * h + 0.02 * noise(h, t))
    await write('default', 0.79)
    const about = { task, validation: 'validation' }
    for (const [m, method] of ['weighted', 'greedy', 'cluster'].entries()) {
      const candidates = [0.2, 0.8].map((lambda, at) => ({
        method,
        lambda,
        similarity: 'cka',
        representation: `${method}-${t}${m}${at}00000`,
        score: 0.7,
      }))
      for (const { representation, score: _, ...recipe } of candidates)
        await write(representation, 0.75 + 0.07 * noise(m, t, recipe.lambda), recipe)
      const chosen = candidates[t]?.representation ?? ''
      await writeChoice(place, { ...about, kind: 'method', method, chosen, candidates })
      if (m === 0) await writeChoice(place, { ...about, kind: 'mix', method, chosen, candidates: [] })
    }
    await writeChoice(place, { ...about, kind: 'layer', method: 'h6', chosen: 'h6', candidates: [] })
  }
  return root
}
