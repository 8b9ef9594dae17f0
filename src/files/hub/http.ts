/**
 * One HTTP request over Node's own client: a body of known length that streams, an answer that may come before the body
 * is through, a proxy on the way.
 */
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { proxyHeaders, tunnel } from './proxy.ts'

/** A request body; `pieces` may be called again for another try. */
export interface Body {
  readonly byteLength: number
  pieces(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export interface HttpRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Body | undefined
  readonly proxy?: URL | undefined
  /** Not over a connection that was used before. */
  readonly fresh?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Bytes of the body given to the connection so far. */
  readonly onSent?: ((byteLength: number) => void) | undefined
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Readable
  /** Ends the exchange; the connection is kept where little is left to read. */
  drop(): void
}

/**
 * Sends and waits for the head of the answer. Throws whatever the connection, the signal or the body's source throws.
 */
export async function sendRequest(url: URL, asked: HttpRequest): Promise<HttpResponse> {
  const request = await dial(url, asked)
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    if (asked.body)
      void send(request, asked.body, asked.onSent).catch((error: unknown) => request.destroy(error as Error))
    else request.end()
  })
  // An answer before the end of the body: nobody waits for the rest of it.
  message.once('close', () => {
    if (!request.writableFinished) request.destroy()
  })
  message.on('error', () => undefined) // whoever reads hears of it; when nobody reads it does not matter
  const headers = headersOf(message)
  const body = asked.method === 'HEAD' ? message.resume() : decoded(message)
  const drop = (): void => {
    if (Number(headers.get('content-length') ?? Infinity) <= littleRest) body.resume()
    else message.destroy()
  }
  return { status: message.statusCode ?? 0, headers, body, drop }
}

const littleRest = 2 ** 16

async function dial(url: URL, { method, headers, body, proxy, fresh, signal }: HttpRequest): Promise<ClientRequest> {
  const options = {
    method,
    headers: {
      ...headers,
      ...(body || method === 'POST' || method === 'PUT' ? { 'content-length': String(body?.byteLength ?? 0) } : {}),
    },
    signal,
    agent: fresh ? false : undefined,
  }
  if (!proxy) return (url.protocol === 'https:' ? overTls : overHttp)(url, options)
  if (url.protocol === 'https:') {
    const socket = await tunnel(proxy, url, signal)
    return overTls(url, { ...options, agent: undefined, createConnection: () => socket })
  }
  const through = {
    ...options,
    path: url.href,
    headers: { ...options.headers, host: url.host, ...proxyHeaders(proxy) },
  }
  return (proxy.protocol === 'https:' ? overTls : overHttp)({
    hostname: proxy.hostname,
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    ...through,
  })
}

async function send(request: ClientRequest, body: Body, onSent?: (byteLength: number) => void): Promise<void> {
  let [sent, refused] = [0, false]
  request.once('response', ({ statusCode }) => (refused = (statusCode ?? 0) >= 300))
  for await (const piece of body.pieces()) {
    // Leaving the loop closes the source; waiting for a connection that is gone would keep it open for ever.
    if (request.destroyed || refused) return
    if (!request.write(piece) && !request.destroyed) await drained(request)
    if (request.destroyed || refused) return
    sent += piece.byteLength
    onSent?.(sent)
  }
  request.end()
}

function drained(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      for (const event of ['drain', 'close', 'response']) request.off(event, go)
      resolve()
    }
    for (const event of ['drain', 'close', 'response']) request.on(event, go)
  })
}

/** The bytes that were meant; some proxies compress whatever was asked. */
function decoded(message: IncomingMessage): Readable {
  const decoder = decoders.get(message.headers['content-encoding']?.toLowerCase() ?? '')
  return decoder ? pipeline(message, decoder(), () => undefined) : message
}

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    try {
      headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
    } catch {
      // a name or value that is invalid in a header is ignored
    }
  }
  return headers
}
