/** Every similarity Strata knows: flags, help, docs and the contract suite come from this list. */
import { declaredKind, named, openTable, type PluginSource } from '#core'
import { cka_debiased } from './cka-debiased.ts'
import { cka_rbf } from './cka-rbf.ts'
import { cka } from './cka.ts'
import { correlation, cosine } from './coordinates.ts'
import { distance_correlation } from './distance-correlation.ts'
import { jaccard } from './jaccard.ts'
import { mutual_knn } from './mutual-knn.ts'
import { procrustes } from './procrustes.ts'
import { pwcca } from './pwcca.ts'
import { rsa } from './rsa.ts'
import { guarded } from './define.ts'
import type { Similarity } from './similarity.ts'
import { svcca } from './svcca.ts'

/**
 * Every similarity of layers by name. `similarities.cka.between(xs)` compares the layers `xs`, [texts × width] each,
 * with each other, and `between(xs, ys)` with those of another model: [xs × ys] numbers.
 *
 * @example
 * ```ts
 * import { matrix } from 'strata-lm/linalg'
 * import { similarities } from 'strata-lm/similarity'
 *
 * const layer = matrix(4, 2, Float32Array.of(1, 0, 0, 1, 1, 1, 2, 1))
 * const turned = matrix(4, 2, Float32Array.of(0, 1, -1, 0, -1, 1, -1, 2)) // the same texts, turned by 90°
 * const between = await similarities.cka.between([layer], [turned])
 * console.log(between[0]?.toFixed(4)) // → 1.0000
 * ```
 */
export const similarities = {
  cka,
  cka_debiased,
  cka_rbf,
  rsa,
  jaccard,
  distance_correlation,
  correlation,
  cosine,
  svcca,
  pwcca,
  procrustes,
  mutual_knn,
} as const satisfies Readonly<Record<string, Similarity>>

export type SimilarityName = keyof typeof similarities

/**
 * Similarities by name: `all`, or a list with commas; a name is also found by its title (`CKA`, `RSA`). Throws
 * `usage.value` with the nearest name.
 *
 * @example
 * ```ts
 * import { similaritiesNamed } from 'strata-lm/similarity'
 *
 * console.log(similaritiesNamed('CKA,rsa').map(({ name }) => name)) // → [ 'cka', 'rsa' ]
 * ```
 */
export function similaritiesNamed(list: string, place = '--metrics'): Similarity[] {
  return named<Similarity>(list, similarityTable.all(), {
    place,
    kind: 'similarity',
    isMeant: ({ name, title }, word) => [name, title.toLowerCase()].includes(word.toLowerCase()),
  })
}

/** Strata's own, and those of plug-ins. */
export const similarityTable = openTable<Similarity>('similarity', similarities, ['all'])

/** Adds the similarities among a plug-in's exports: they are found by name from then on. Returns their names. */
export function addSimilarities(exports: Readonly<Record<string, unknown>>, source: PluginSource): string[] {
  const found = [...new Set(Object.values(exports))].filter(
    (value) => declaredKind(value) === 'similarity',
  ) as Similarity[]
  for (const one of found) similarityTable.add(guarded(one, source), source)
  return found.map(({ name }) => name)
}
