/** Every similarity Strata knows: flags, help, docs and the contract suite come from this list. */
import { named } from '#core'
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
import type { Similarity } from './similarity.ts'
import { svcca } from './svcca.ts'

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

/** `all`, or a list of names by comma; a name is also found by its title (`CKA`, `RSA`). Throws `usage.value`. */
export function similaritiesNamed(list: string, place = '--metrics'): Similarity[] {
  return named<Similarity>(list, Object.values(similarities), {
    place,
    kind: 'similarity',
    isMeant: ({ name, title }, word) => [name, title.toLowerCase()].includes(word.toLowerCase()),
  })
}
