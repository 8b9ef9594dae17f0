/**
 * Summarization: whether summaries that people find relevant are the ones near to what people wrote (mteb
 * `SummarizationEvaluator` and its deprecated form).
 */
import { fault, type Matrix, mean, row, type Similarity } from '#core'
import type { Profile, SummarizationPart } from '#task/rows'
import { correlationPValue, pearson, spearman } from '#platform/linalg'
import { type Context, embedFinite, type PartScores } from './part-scores.ts'
import { prepared, rowBlock, similarityOf } from './similarity.ts'

/** For each machine summary of one text, its highest similarity to a human summary. */
interface Nearness {
  readonly text: number
  readonly gold: readonly number[]
  readonly own: Float32Array
  readonly cosine: Float32Array
  readonly dot: Float32Array
}

export async function scoreSummaries(part: SummarizationPart, context: Context): Promise<PartScores> {
  const rated = await nearnessOf(part, context)
  if (rated.length === 0) {
    throw fault('task.value', {
      place: `${context.task.name} › ${part.subset} › ${part.split}`,
      what: 'no text can be scored: for each, either the ratings or the similarities of all summaries are equal',
      seen: part.texts.length,
    })
  }
  const correlate = context.task.params.evaluator === 'DeprecatedSummarizationEvaluator' ? withPValues : plainMean
  const metrics: Record<string, number | null> = {}
  for (const [side, kind] of fieldOrder(context.profile)) {
    const value = correlate(
      rated.map(({ gold, [side]: values }) => ({ gold, values })),
      kind,
    )
    metrics[side === 'own' ? kind : `${side}_${kind}`] = Number.isNaN(value) ? null : value
  }
  return {
    metrics,
    columns: {
      text: rated.map(({ text }) => text),
      cosine_spearman: rated.map(({ gold, cosine }) => spearman(gold, cosine)),
    },
  }
}

type Side = 'own' | 'cosine' | 'dot'
type Correlation = 'pearson' | 'spearman'
interface Sample {
  readonly gold: readonly number[]
  readonly values: Float32Array
}

function fieldOrder(profile: Profile): (readonly [Side, Correlation])[] {
  const dot = [['dot', 'pearson'] as const, ['dot', 'spearman'] as const]
  return [
    ['own', 'pearson'],
    ['own', 'spearman'],
    ['cosine', 'spearman'],
    ['cosine', 'pearson'],
    ...(profile === 'mteb-2' ? dot : dot.toReversed()),
  ]
}

function plainMean(samples: readonly Sample[], kind: Correlation): number {
  return mean(samples.map((sample) => statistic(sample, kind)))
}

/** Mean over the pairs (statistic, p-value), an error that published scores contain (mteb issue 1156). */
function withPValues(samples: readonly Sample[], kind: Correlation): number {
  const sum = samples.reduce((total, sample) => {
    const r = statistic(sample, kind)
    return total + r + correlationPValue(r, sample.gold.length)
  }, 0)
  return sum / (2 * samples.length)
}

function statistic({ gold, values }: Sample, kind: Correlation): number {
  return kind === 'pearson' ? pearson(gold, values) : spearman(gold, values)
}

/**
 * Texts whose ratings, cosines and dot products all differ within the text; correlations of the others are undefined.
 */
async function nearnessOf({ human, machine, relevance }: SummarizationPart, context: Context): Promise<Nearness[]> {
  const people = await embedFinite(context, human.flat())
  const machines = await embedFinite(context, machine.flat())
  const sides = { own: context.similarity, cosine: 'cosine', dot: 'dot' } as const
  const vectors = (side: Side): { people: Matrix; machines: Matrix } => ({
    people: prepared(people, sides[side]),
    machines: prepared(machines, sides[side]),
  })
  const prepare = { own: vectors('own'), cosine: vectors('cosine'), dot: vectors('dot') }
  const rated: Nearness[] = []
  let [atHuman, atMachine] = [0, 0]
  relevance.forEach((gold, text) => {
    const [humans, candidates] = [human[text]?.length ?? 0, machine[text]?.length ?? 0]
    const nearest = (side: Side): Float32Array =>
      highest(
        rowBlock(prepare[side].machines, atMachine, candidates),
        rowBlock(prepare[side].people, atHuman, humans),
        sides[side],
      )
    const sample: Nearness = { text, gold, own: nearest('own'), cosine: nearest('cosine'), dot: nearest('dot') }
    atHuman += humans
    atMachine += candidates
    if (![sample.gold, sample.dot, sample.cosine].some(allEqual)) rated.push(sample)
  })
  return rated
}

function highest(machines: Matrix, people: Matrix, similarity: Similarity): Float32Array {
  return Float32Array.from({ length: machines.rows }, (_, i) => {
    let best = -Infinity
    for (let j = 0; j < people.rows; j++)
      best = Math.max(best, similarityOf(row(machines, i), row(people, j), similarity))
    return best
  })
}

function allEqual(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false
  return true
}
