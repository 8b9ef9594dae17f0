/** What the routes of the server share. */
import { type Gauges, type Route, routeMakers } from '#serve/http'
import type { Served } from './served.ts'

export interface World {
  readonly served: Served
  readonly gauges: Gauges
}

export type ApiRoute = Route<World>

export const { get, post } = routeMakers<World>()
