/** The plan of a distillation: tokens, dimensions, sizes. */
import { decimals, quantity, roughBytes } from '#core'
import type { CorpusStep, DistilPlan } from '#experiment/write'
import { row } from '../../lines/rows.ts'

export function distilLines(plan: DistilPlan): string[] {
  const { counts } = plan
  const words = [
    [counts.words, 'own words'],
    [counts.severalWords, 'of several words'],
    [-counts.wrapping, 'special'],
    [-counts.matched, 'by the pattern'],
  ] as const
  const changed = words.filter(([count]) => count !== 0)
  return [
    row('model', `${plan.model}, ${sizeText(plan.modelBytes)}`),
    row('state', `${plan.representation}, ${plan.pooling} of the tokens`),
    row(
      'tokens',
      `${plan.tokens.toLocaleString('en')}${changed.length === 0 ? '' : ` (${changed.map(([count, what]) => `${count > 0 ? '+' : '−'}${Math.abs(count)} ${what}`).join(', ')})`}`,
    ),
    row(
      'table',
      plan.bytes === undefined
        ? `× as many components as the share needs, ${plan.dtype}`
        : `${(plan.clusters ?? plan.tokens).toLocaleString('en')} × ${plan.width} in ${plan.dtype}${plan.clusters === undefined ? '' : ', each token’s row and weight'}: ${sizeText(plan.bytes)}`,
    ),
    ...(plan.corpus === undefined
      ? []
      : [
          row(
            'corpus',
            `${plan.corpus.name}: ${quantity(plan.corpus.texts, 'text')}, ${plan.corpus.train.toLocaleString('en')} to fit to, ${plan.corpus.validation.toLocaleString('en')} to measure on`,
          ),
        ]),
    row('memory', `${roughBytes(plan.workingBytes)} for the vectors, besides the model`),
    ...plan.notes.map((note) => row('notice', note)),
  ]
}

/** A step with a corpus, and what it gained. */
export function stepLine({ step, taken, before, after, ridge }: CorpusStep): string {
  const change = (name: string, from: number, to: number): string => `${name} ${decimals(from, 4)} → ${decimals(to, 4)}`
  const text = [change('Spearman', before.spearman, after.spearman), change('cosine', before.cosine, after.cosine)]
  return row(
    step,
    `${text.join(', ')}${ridge === undefined ? '' : `, ridge ${ridge}`}: ${taken ? 'taken' : 'not taken'}`,
  )
}

/** Megabytes of 10⁶ bytes, kilobytes for small ones. */
export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${decimals(bytes / 1e3, 1)} kB` : `${decimals(bytes / 1e6, 1)} MB`
}
