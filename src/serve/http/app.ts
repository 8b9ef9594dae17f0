/** Requests to routes: who may ask, how much, and what goes wrong in which words. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { asFault, type Fault } from '#core'
import { parseWith, type Schema, zod } from '#files/formats'
import { bodyRefusal, bodyText } from './body.ts'
import { faultBody, type Refusal, refusalBody, refusals, toStatus } from './failures.ts'
import type { Gauges } from './gauges.ts'
import { openApi } from './openapi.ts'
import { type Answer, type Dialect, json, type Route, routeMakers } from './route.ts'

export interface AppOptions<World> {
  readonly routes: readonly Route<World>[]
  readonly world: World
  readonly gauges: Gauges
  /** Requests under way, those that wait among them; the next is asked to come again. */
  readonly maxQueue: number
  /** Bytes of a body. */
  readonly maxBody: number
  readonly key?: string | undefined
  /** Origins whose pages may ask; `*`: all. */
  readonly origins: readonly string[]
  /** Names under which the server is reached; undefined: any. */
  readonly hosts: readonly string[] | undefined
  /** True once the server stops. */
  readonly isStopping: () => boolean
  /** Hears of failures inside. */
  readonly onFailure?: ((failure: Fault) => void) | undefined
  /** Seconds. */
  readonly now: () => number
}

/** Routes can be asked without a socket: `app.request('/health')`. */
export function openApp<World>(options: AppOptions<World>): Hono {
  const app = new Hono()
  const routes = documented(options.routes)
  const of: App<World> = { ...options, routes, find: (path) => routes.find((route) => route.path === path) }
  let under = 0
  app.use(async (c, next) => {
    const began = options.now()
    options.gauges.set('strata_queue_requests', under)
    await next()
    const path = of.find(c.req.path)?.path ?? 'other'
    options.gauges.count('strata_requests_total', { path, status: String(c.res.status) })
    options.gauges.observe('strata_request_seconds', options.now() - began)
  })
  app.use(async (c, next) => {
    const refusal = refusalOf(c, of)
    if (refusal !== undefined) return refused(c, refusal, of.find(c.req.path)?.dialect)
    allowOrigin(c, options)
    if (c.req.method === 'OPTIONS') return c.body(null, 204)
    return next()
  })
  const toSchema = schemas<World>()
  for (const route of routes)
    app.on(route.method.toUpperCase(), route.path, async (c) => {
      if (under >= options.maxQueue) return refused(c, 'busy', route.dialect)
      options.gauges.set('strata_queue_requests', ++under)
      const leave = (): void => options.gauges.set('strata_queue_requests', --under)
      const failed = (error: unknown): Fault => failure(error, route.path, options)
      try {
        const call = { world: options.world, signal: c.req.raw.signal }
        const text = route.schema === undefined ? '' : await bodyText(c, options.maxBody)
        if (text === undefined) {
          leave()
          return refused(c, 'size', route.dialect)
        }
        const body = route.schema === undefined ? undefined : parseWith(toSchema(route), text, 'json', 'body')
        const answer = await route.run(body as never, call)
        if (answer.kind === 'stream' && c.req.method === 'HEAD') {
          // nobody would read the stream to its end
          leave()
          return c.body(null, 200, { 'content-type': 'text/event-stream' })
        }
        if (answer.kind === 'stream')
          return streamed(c, answer.events, {
            onFailure: (error) => faultBody(failed(error), route.dialect),
            onEnd: leave,
          })
        const response = whole(c, answer)
        leave()
        return response
      } catch (error) {
        leave()
        const known = failed(error)
        return c.json(faultBody(known, route.dialect), toStatus(known.code) as 400)
      }
    })
  app.onError((error, c) => {
    const { path } = c.req
    return c.json(faultBody(failure(error, path, options), of.find(path)?.dialect ?? 'openai'), 500)
  })
  app.notFound((c) => {
    const there = of.find(c.req.path)
    return refused(c, there === undefined ? 'path' : 'method', there?.dialect)
  })
  return app
}

/** Failures of the program are heard of. */
function failure(error: unknown, path: string, { onFailure }: Pick<AppOptions<unknown>, 'onFailure'>): Fault {
  const known = asFault(error, 'internal', path)
  if (toStatus(known.code) === 500) onFailure?.(known)
  return known
}

interface App<World> extends AppOptions<World> {
  readonly find: (path: string) => Route<World> | undefined
}

function documented<World>(routes: readonly Route<World>[]): readonly Route<World>[] {
  return [
    ...routes,
    routeMakers<World>().get({
      path: '/openapi.json',
      dialect: 'openai',
      summary: 'This document',
      run: () => Promise.resolve(json(openApi(routes, zod()))),
    }),
  ]
}

/** Schemas are made when they are first needed. */
function schemas<World>(): (route: Route<World>) => Schema {
  const made = new Map<Route<World>, Schema>()
  return (route) => {
    const schema = made.get(route) ?? route.schema?.(zod()) ?? zod().unknown()
    made.set(route, schema)
    return schema
  }
}

function refusalOf<World>(c: Context, { key, hosts, origins, isStopping, find }: App<World>): Refusal | undefined {
  if (isStopping()) return 'stopping'
  const host = c.req.header('host')
  // a page elsewhere can make its own name mean this machine
  if (hosts !== undefined && host !== undefined && !hosts.includes(host.replace(/:\d+$/, '').toLowerCase()))
    return 'host'
  const origin = c.req.header('origin')
  if (origin !== undefined && !allows(origins, origin) && new URL(c.req.url).host !== hostOf(origin)) return 'origin'
  if (c.req.method === 'OPTIONS') return undefined
  if (key !== undefined && find(c.req.path)?.isOpen !== true && !isKey(c.req.header('authorization'), key)) return 'key'
  return c.req.method === 'POST' ? bodyRefusal(c) : undefined
}

function allows(origins: readonly string[], origin: string): boolean {
  return origins.includes('*') || origins.includes(origin)
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

function allowOrigin(c: Context, { origins }: Pick<AppOptions<unknown>, 'origins'>): void {
  const origin = c.req.header('origin')
  if (origin === undefined || !allows(origins, origin)) return
  c.header('access-control-allow-origin', origin)
  c.header('vary', 'origin')
  c.header('access-control-allow-headers', 'authorization, content-type')
  c.header('access-control-allow-methods', 'GET, POST, OPTIONS')
}

/** Hashes are of one length, and are compared in a time that says nothing. */
function isKey(header: string | undefined, key: string): boolean {
  const given = /^bearer (.*)$/i.exec(header ?? '')?.[1] ?? ''
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(key))
}

function refused(c: Context, refusal: Refusal, dialect: Dialect = 'openai'): Response {
  if (refusal === 'busy') c.header('retry-after', '1')
  if (refusal === 'stopping') c.header('connection', 'close')
  return c.json(refusalBody(refusal, dialect), refusals[refusal].status)
}

/** No browser guesses a type, or shows a page of the server inside another one; no answer is stored. */
const guards = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

function whole(c: Context, answer: Exclude<Answer, { kind: 'stream' }>): Response {
  switch (answer.kind) {
    case 'json':
      return c.json(answer.value as object)
    case 'text':
      return c.body(answer.text, 200, { 'content-type': answer.type, ...guards })
    default:
      return answer satisfies never
  }
}

/** Events as OpenAI sends them; what goes wrong on the way is the last of them. */
function streamed(
  c: Context,
  events: AsyncIterable<unknown>,
  { onFailure, onEnd }: { readonly onFailure: (error: unknown) => object; readonly onEnd: () => void },
): Response {
  return streamSSE(c, async (stream) => {
    try {
      for await (const event of events) await stream.writeSSE({ data: JSON.stringify(event) })
      await stream.writeSSE({ data: '[DONE]' })
    } catch (error) {
      await stream.writeSSE({ data: JSON.stringify(onFailure(error)) })
    } finally {
      onEnd()
    }
  })
}
