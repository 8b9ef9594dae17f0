/** An address of the server: what it takes, what it answers, in one value that checks requests and documents itself. */
import type { Schema, Zod } from '#files/formats'

export interface RouteCall<World> {
  /** What the routes of a server share. */
  readonly world: World
  /** Aborted when the client goes. */
  readonly signal: AbortSignal
}

/** Whose words errors come in. */
export type Dialect = 'openai' | 'tei'

/** A text by its type, or a document; `stream`: server-sent events, one for each value. */
export type Answer =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'stream'; readonly events: AsyncIterable<unknown> }

export interface Route<World> {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly dialect: Dialect
  readonly summary: string
  /** Without a key too, for those who watch the server. */
  readonly isOpen?: true
  /** The body’s, where there is one. */
  readonly schema?: (z: Zod) => Schema
  /** `body`: what the schema made of it. */
  readonly run: (body: never, call: RouteCall<World>) => Promise<Answer>
}

/** Routes of one world; `post` types the run by the schema of its body. */
export function routeMakers<World>() {
  return {
    get: (route: Omit<Route<World>, 'method' | 'schema'>): Route<World> => ({ ...route, method: 'get' }),
    post: <S extends Schema>(
      route: Omit<Route<World>, 'method' | 'run' | 'schema'> & {
        readonly schema: (z: Zod) => S
        readonly run: (body: S['_output'], call: RouteCall<World>) => Promise<Answer>
      },
    ): Route<World> => ({ ...route, method: 'post' }),
  }
}

export function json(value: unknown): Answer {
  return { kind: 'json', value }
}
