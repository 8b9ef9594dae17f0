/** The one representation that a checkpoint itself knows: a hidden state. */
import type { PoolingName } from '#model/passes'

/** Hidden state h (0 = embedding output, 1 … L after block h), pooled; none of the model's later modules. */
export interface StateRepresentation {
  readonly kind: 'state'
  readonly h: number
  readonly pooling?: PoolingName | undefined
}

/** The tokens of hidden state h, each with a vector of length 1, compared by MaxSim. */
export interface TokensRepresentation {
  readonly kind: 'tokens'
  readonly h: number
}

/** `h3-maxsim` */
export function tokensName({ h }: Pick<TokensRepresentation, 'h'>): string {
  return `h${h}-maxsim`
}

/** `h3`, `h3-cls`: the name as results and caches write it. */
export function stateName({ h, pooling }: StateRepresentation): string {
  return `h${h}${pooling === undefined ? '' : `-${pooling}`}`
}
