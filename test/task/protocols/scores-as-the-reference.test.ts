import { describe, expect, test } from 'vitest'
import { matrix, type Matrix } from '#core'
import { type RandomState, randomState } from '#platform/random'
import { evaluateTask } from '#task/protocols'
import { undersample } from '#task/rows'
import { loaded, lookup, names, offScores, taskNamed } from './made-tasks.ts'
import { goldenOf } from '../../golden-of.ts'

type Scores = Record<string, number | null>
interface Golden {
  sts: { seed: number; n: number; d: number; zero: boolean; scores: Record<string, number> }[]
  classification: {
    seed: number
    n: number
    m: number
    d: number
    names: (string | number)[]
    per_label: number
    experiments: number
    noise: number
    missing: string | number | null
    scores_per_experiment: Scores[]
    mean: Scores
  }[]
  retrieval: {
    seed: number
    Q: number
    N: number
    d: number
    integers: boolean
    same_ids: boolean
    ks: number[]
    candidates: boolean
    scores: Scores
  }[]
}

// mteb 2.26.24, scikit-learn 1.8.0, scipy 1.17.1, pytrec_eval-terrier 0.5.11: oracles/evaluate.py
const golden = goldenOf<Golden>('task/protocols', 'evaluate')
const language = { languages: ['eng-Latn'], split: 'test', subset: 'default' }

function uniform(draws: RandomState, rows: number, width: number): Float64Array {
  return draws.randomSample(rows * width).map((value) => value - 0.5)
}

describe('STS as scikit-learn and scipy score it', () => {
  test.each(golden.sts)('$n pairs, zero and equal vectors: $zero', async ({ seed, n, d, zero, scores: want }) => {
    const draws = randomState(seed)
    const a = matrix(n, d, Float32Array.from(uniform(draws, n, d)))
    const noise = uniform(draws, n, d)
    const b = matrix(
      n,
      d,
      a.data.map((value, i) => value + 0.8 * (noise[i] ?? 0)),
    )
    const gold = Array.from(draws.randomSample(n), (value) => halfEven(value * 10) / 2)
    if (zero) {
      for (const [target, row] of [
        [a, 3],
        [a, 5],
        [b, 5],
      ] as const)
        target.data.fill(0, row * d, (row + 1) * d)
      for (const row of [7, 8]) b.data.set(a.data.subarray(row * d, (row + 1) * d), row * d)
    }
    const task = loaded(await taskNamed('STSBenchmark'), {
      protocol: 'AbsTaskSTS',
      parts: [{ ...language, sentence1: names('a', n), sentence2: names('b', n), score: gold }],
    })
    const { scores } = await evaluateTask(task, lookup({ a, b }))
    const own = Object.fromEntries(Object.entries(want).filter(([metric]) => !metric.startsWith('dot:')))
    // float32 sums in another order move a Pearson correlation by about 1e-8; the unit dot product of equal vectors is
    // 1 or one place below, by order of summation
    expect(offScores(scores['test']?.[0], own, (metric) => (zero && metric === 'spearman' ? 2e-3 : 1e-6))).toEqual([])
    expect(Object.keys(scores['test']?.[0] ?? {})).toEqual([
      ...Object.keys(own),
      'main_score',
      'hf_subset',
      'languages',
    ])

    const dot = await evaluateTask(task, lookup({ a, b }), { similarity: 'dot' })
    expect(
      offScores(
        dot.scores['test']?.[0],
        { pearson: want['dot:pearson'] ?? null, spearman: want['dot:spearman'] ?? null },
        () => 1e-6,
      ),
    ).toEqual([])
  })
})

describe('classification as scikit-learn scores it', () => {
  test.each(golden.classification)(
    '$names, $per_label a label, $experiments experiments',
    async ({ seed, n, m, d, names: labels, per_label, experiments, noise, missing, ...want }) => {
      const draws = randomState(seed)
      const centres = uniform(draws, labels.length, d)
      const draw = (rows: number): { x: Matrix; y: (string | number)[] } => {
        const picks = draws.randint(0, labels.length, rows)
        const jitter = uniform(draws, rows, d)
        const x = matrix(rows, d)
        picks.forEach((pick, i) => {
          for (let k = 0; k < d; k++)
            x.data[i * d + k] = (centres[pick * d + k] ?? 0) + noise * (jitter[i * d + k] ?? 0)
        })
        return { x, y: picks.map((pick) => labels[pick] ?? 0) }
      }
      const [train, rest] = [draw(n), draw(m)]
      const truth = rest.y.map((label, i) => (missing !== null && i % 9 === 0 ? missing : label))
      const task = await taskNamed('Banking77Classification', {
        samples_per_label: per_label,
        n_experiments: experiments,
      })
      const part = {
        ...language,
        train: { texts: names('x', n), labels: train.y },
        test: { texts: names('z', m), labels: truth },
        experiments: undersample(train.y, { perLabel: per_label, experiments }),
      }
      const { scores, items } = await evaluateTask(
        loaded(task, { protocol: 'AbsTaskClassification', parts: [part] }),
        lookup({ x: train.x, z: rest.x }),
      )
      const [got] = scores['test'] ?? []
      const perExperiment = got?.['scores_per_experiment'] as Scores[]
      expect(perExperiment).toHaveLength(experiments)
      expect(want.scores_per_experiment.flatMap((one, i) => offScores(perExperiment[i], one, () => 1e-12))).toEqual([])
      expect(offScores(got, want.mean, () => 1e-12)).toEqual([])
      expect(Object.keys(got ?? {})).toEqual([
        'scores_per_experiment',
        ...Object.keys(want.mean),
        'main_score',
        'hf_subset',
        'languages',
      ])
      const correct = Array.from(items[0]?.columns['correct'] as Float64Array)
      expect(correct.reduce((sum, value) => sum + value, 0) / m).toBeCloseTo(want.mean['accuracy'] ?? NaN, 12)
    },
  )
})

describe('retrieval as mteb and trec_eval score it', () => {
  test.each(golden.retrieval)(
    '$Q queries, $N documents, ties: $integers, self matches: $same_ids, candidates: $candidates',
    async ({ seed, Q, N, d, integers, same_ids, ks, candidates, scores: want }) => {
      const draws = randomState(seed)
      const draw = (rows: number): Matrix =>
        matrix(
          rows,
          d,
          integers ? Float32Array.from(draws.randint(-2, 3, rows * d)) : Float32Array.from(uniform(draws, rows, d)),
        )
      const [q, x] = [draw(Q), draw(N)]
      const queryIds = names(same_ids ? 'd' : 'q', Q)
      const ids = Array.from({ length: N }, (_, i) => (i % 3 ? `d${i}` : `${i % 2 ? '\u{1F600}' : '\uff5e'}${i}`))
      const qrels = new Map(
        queryIds.map((id) => {
          const picks = draws.randint(0, N, 6)
          const grades = draws.randint(-1, 4, 6)
          return [id, new Map(picks.map((pick, i) => [ids[pick] ?? '', grades[i] ?? 0]))]
        }),
      )
      qrels.set(queryIds[2] ?? '', new Map([[ids[0] ?? '', 0]]))
      const asked = candidates
        ? { candidates: new Map(queryIds.map((id) => [id, draws.randint(0, N, 15).map((pick) => ids[pick] ?? '')])) }
        : {}
      const part = {
        ...language,
        corpus: { ids, texts: names('x', N) },
        queries: { ids: queryIds, texts: names('q', Q) },
        qrels,
        ...asked,
      }
      const task = loaded(await taskNamed('SciFact', { ignore_identical_ids: same_ids, k_values: ks }), {
        protocol: 'AbsTaskRetrieval',
        parts: [part],
      })
      const embedder = lookup({ q, x })
      const { scores, items } = await evaluateTask(task, embedder, { similarity: integers ? 'dot' : 'cosine' }).catch(
        (error: unknown) => {
          // ndcg_at_10 is the main score of SciFact; a case without that cutoff has none
          if (ks.includes(10)) throw error
          return evaluateTask({ ...task, task: { ...task.task, mainScore: 'ndcg_at_5' } }, embedder, {
            similarity: integers ? 'dot' : 'cosine',
          })
        },
      )
      const [got] = scores['test'] ?? []
      // where scores tie exactly everything is exact; abstention areas of the float32 cosines hang on last places
      expect(offScores(got, want, (metric) => (integers || !metric.startsWith('nauc') ? 1e-9 : 1e-6))).toEqual([])
      expect(Object.keys(got ?? {})).toEqual([...Object.keys(want), 'main_score', 'hf_subset', 'languages'])
      expect(items[0]?.columns['query']).toEqual(queryIds)
      expect(new Set(embedder.asked.map(({ promptType }) => promptType))).toEqual(new Set(['query', 'document']))
    },
  )
})

function halfEven(value: number): number {
  return Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)
}
