/** The policies by name. A new one needs its file, and its line here. */
import { fault, suggestion } from '#core'
import type { Policy } from '../policy.ts'
import { gpEi } from './gp-ei.ts'
import { halving } from './halving.ts'
import { linucb } from './linucb.ts'
import { linucbDisjoint } from './linucb-disjoint.ts'
import { random } from './random.ts'
import { sweep } from './sweep.ts'
import { thompson } from './thompson.ts'

/**
 * Every policy by name, with whether it looks at features of arms (`contextual`), and whether its choices depend on the
 * seed (`draws`).
 *
 * @example
 * ```ts
 * import { policies } from 'strata-lm/search'
 *
 * console.log(policies.linucb.contextual, policies.sweep.draws) // → true false
 * ```
 */
export const policies = {
  sweep,
  random,
  linucb,
  'linucb-disjoint': linucbDisjoint,
  thompson,
  'gp-ei': gpEi,
  halving,
} as const satisfies Readonly<Record<string, Policy>>

export type PolicyName = keyof typeof policies

export const policyNames = Object.keys(policies) as PolicyName[]

/**
 * Names of policies: `all`, or a comma-separated list. Throws `usage.value` with the nearest name.
 *
 * @example
 * ```ts
 * import { policiesNamed } from 'strata-lm/search'
 *
 * console.log(policiesNamed('linucb,random')) // → [ 'linucb', 'random' ]
 * ```
 */
export function policiesNamed(text: string): PolicyName[] {
  if (text === 'all') return policyNames
  return [...new Set(text.split(',').map((part) => part.trim()))].map((name) => {
    const found = policyNames.find((known) => known === name)
    if (found === undefined)
      throw fault('usage.value', {
        place: '--policy',
        what: 'no such policy',
        seen: name,
        wanted: policyNames.join(', '),
        hint: suggestion(name, policyNames),
      })
    return found
  })
}
