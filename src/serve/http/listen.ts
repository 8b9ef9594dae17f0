/** The socket: where a server listens, who may ask it, and how it ends. */
import { serve } from '@hono/node-server'
import { isIP } from 'node:net'
import { type Fault, fault } from '#core'
import { openApp } from './app.ts'
import type { Gauges } from './gauges.ts'
import type { Route } from './route.ts'

export interface ListenOptions {
  /** 0: any that is free. */
  readonly port?: number | undefined
  readonly host?: string | undefined
  readonly key?: string | undefined
  /** Answers anyone who reaches the host. */
  readonly noKey?: boolean | undefined
  /** Origins whose pages may ask; `*`: all. */
  readonly origins?: readonly string[] | undefined
  /** Requests under way, those that wait among them. */
  readonly maxQueue?: number | undefined
  /** Bytes of a request. */
  readonly maxBody?: number | undefined
  /** Ends the server once what runs is finished. */
  readonly signal: AbortSignal
  /** Hears the address as soon as it is open. */
  readonly onOpen?: ((address: string) => void) | undefined
  /** Hears of failures inside, which no client learns about. */
  readonly onFailure?: ((failure: Fault) => void) | undefined
}

/** All of it settled. */
export interface Listening extends Pick<ListenOptions, 'key' | 'signal' | 'onOpen' | 'onFailure'> {
  readonly port: number
  readonly host: string
  readonly origins: readonly string[]
  readonly maxQueue: number
  readonly maxBody: number
}

/** Throws `usage.conflict` for a host that others reach without a key. */
export function settleListening(options: ListenOptions): Listening {
  const { port = 8080, host = '127.0.0.1', origins = [], maxQueue = 512, maxBody = 8 * 2 ** 20 } = options
  if (!isLoopback(host) && options.key === undefined && options.noKey !== true)
    throw fault('usage.conflict', {
      place: '--host',
      what: 'others reach this host, and no key is asked of them',
      seen: host,
      hint: 'name the variable of a key with --api-key-env, or add --no-key',
    })
  return { ...options, port, host, origins, maxQueue, maxBody }
}

/** Answers until the signal says so. Throws `server.network` for an address that cannot be had. */
export async function listen<World>(
  routes: readonly Route<World>[],
  world: World,
  {
    port,
    host,
    key,
    origins,
    maxQueue,
    maxBody,
    signal,
    onOpen,
    onFailure,
    gauges,
  }: Listening & { readonly gauges: Gauges },
): Promise<void> {
  let isStopping = false
  const app = openApp({
    routes,
    world,
    gauges,
    maxQueue,
    maxBody,
    key,
    onFailure,
    origins,
    hosts: isLoopback(host) ? [...loopback, host] : undefined,
    isStopping: () => isStopping,
    now: () => performance.now() / 1000,
  })
  await new Promise<void>((resolve, reject) => {
    const server = serve({
      fetch: app.fetch,
      port,
      hostname: host,
      serverOptions: { requestTimeout: slowestBody, headersTimeout: slowestBody, keepAliveTimeout: longestIdle },
    })
    server.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        fault('server.network', {
          place: `${host}:${port}`,
          what: cause.code === 'EADDRINUSE' ? 'the port is taken' : 'cannot listen',
          hint: 'choose another --port; 0 takes any that is free',
          cause,
        }),
      ),
    )
    server.on('listening', () => {
      const address = server.address()
      const own = typeof address === 'object' && address !== null ? address.port : port
      onOpen?.(`http://${isIP(host) === 6 ? `[${host}]` : host}:${own}`)
    })
    const stop = (): void => {
      isStopping = true
      server.close(() => resolve())
      // connections that come to rest now end at once
      if ('keepAliveTimeout' in server) server.keepAliveTimeout = 1
      if ('closeIdleConnections' in server) server.closeIdleConnections()
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

const loopback = ['127.0.0.1', 'localhost', '::1', '[::1]']
/** Milliseconds that a client may take to send its request. */
const slowestBody = 30_000
/**
 * Milliseconds that a connection may rest: longer than clients and proxies let it, usually 60 s at most, for a request
 * that meets the end of its connection is lost.
 */
const longestIdle = 75_000

function isLoopback(host: string): boolean {
  return loopback.includes(host) || /^127(?:\.\d+){3}$/.test(host)
}
