/** What the routes of a board share. */
import { type Route, routeMakers } from '#serve/http'
import type { Board } from './board.ts'
import type { Lanes } from './lanes.ts'
import type { TextsOf } from './result-view.ts'

export interface World {
  readonly board: Board
  readonly page: string
  readonly textsOf: TextsOf | undefined
  readonly typeOf: ((task: string) => string) | undefined
  /** For answers that read files while somebody waits. */
  readonly lanes: Lanes
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

export type BoardRoute = Route<World>

export const { get, post } = routeMakers<World>()
