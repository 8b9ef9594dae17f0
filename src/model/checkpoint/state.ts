/** The one representation that a checkpoint itself knows: a hidden state. */
import type { PoolingName } from '#model/passes'

/** Hidden state h (0 = embedding output, 1 … L after block h), pooled; none of the model's later modules. */
export interface StateRepresentation {
  readonly kind: 'state'
  readonly h: number
  readonly pooling?: PoolingName | undefined
}

/** `h3`, `h3-cls`: the name as results and caches write it. */
export function stateName({ h, pooling }: StateRepresentation): string {
  return `h${h}${pooling === undefined ? '' : `-${pooling}`}`
}
