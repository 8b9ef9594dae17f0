/** What the routes of the server share. */
import { type Gauges, type Route, routeMakers } from '#serve/http'
import type { Served } from './served.ts'

export interface World {
  readonly served: Served
  readonly gauges: Gauges
  readonly isKeyed: boolean
  /** Where it answers, once it does. */
  readonly address: () => string
}

export type ApiRoute = Route<World>

export const { get, post } = routeMakers<World>()
