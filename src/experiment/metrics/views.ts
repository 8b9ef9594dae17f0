/** Several views of the same texts: given pairs, or seeded forms of each text. */
import { fault } from '#core'
import { augmentedViews } from './augmented.ts'

export type Views =
  /** Row i of both is the same text in other words. */
  | { readonly kind: 'pairs'; readonly first: readonly string[]; readonly second: readonly string[] }
  /** N forms of each of the first 1,000 texts, for metrics that take many; two of them for those that compare two. */
  | { readonly kind: 'augmented'; readonly count: number }

/** Maximum number of texts with forms: each metric of views is quadratic or cubic in it. */
const most = 1000

/** View by view, the texts in their order. Throws `usage.value` for pairs of unequal length. */
export function viewTexts(
  texts: readonly string[],
  views: Views,
  wanted: 'two' | 'many',
  seed: number,
): (readonly string[])[] {
  switch (views.kind) {
    case 'pairs':
      if (views.first.length !== views.second.length)
        throw fault('usage.value', {
          place: '--pairs',
          what: 'the numbers of first and second texts differ',
          seen: [views.first.length, views.second.length],
        })
      return [views.first, views.second]
    case 'augmented': {
      const count = wanted === 'two' ? 2 : views.count
      const forms = texts.slice(0, most).map((text) => augmentedViews(text, count, seed))
      return Array.from({ length: count }, (_, view) => forms.map((own) => own[view] ?? ''))
    }
    default:
      return views satisfies never
  }
}
