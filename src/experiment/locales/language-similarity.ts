/** Similarity of languages by their features: (cosine + 1) / 2, as merginguriel has it. */
import type { FeatureSet, Language } from './languages.ts'
import type { LocaleTable } from './weights.ts'

/**
 * Every locale with every other, [locales × locales]; features that one of a pair lacks take no part in their cosine. A
 * pair without features in common has 1/2, a cosine of 0.
 */
export function languageSimilarity(
  locales: readonly Language[],
  { set = 'syntax_knn' }: { readonly set?: FeatureSet | undefined } = {},
): LocaleTable {
  const names = locales.map(({ locale }) => locale)
  const cosine = set === 'fam' ? cosineOfFamilies : cosineOf(set)
  return { targets: names, sources: names, values: locales.map((a) => locales.map((b) => (cosine(a, b) + 1) / 2)) }
}

function cosineOf(set: Exclude<FeatureSet, 'fam'>): (a: Language, b: Language) => number {
  return ({ features: { [set]: left } }, { features: { [set]: right } }) => {
    let [product, squareLeft, squareRight] = [0, 0, 0]
    for (const [i, a] of left.entries()) {
      const b = right[i] ?? null
      if (a === null || b === null) continue
      product += a * b
      squareLeft += a * a
      squareRight += b * b
    }
    return product === 0 ? 0 : product / Math.sqrt(squareLeft * squareRight)
  }
}

/** Cosine of the indicators of all families: the number of shared ones over the geometric mean of both numbers. */
function cosineOfFamilies({ families: left }: Language, { families: right }: Language): number {
  const shared = left.filter((family) => right.includes(family)).length
  return shared === 0 ? 0 : shared / Math.sqrt(left.length * right.length)
}
