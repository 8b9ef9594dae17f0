/**
 * A hub on 127.0.0.1, for tests: it speaks the Hugging Face Hub's API for models and data sets – descriptions,
 * paginated trees, files with ranges, LFS files on a second origin – asks for tokens, fails on demand, and remembers
 * every request. Sources: the hub's OpenAPI, huggingface_hub 2.4, @huggingface/hub 2.17.
 */
import { createHash } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A file as committed: text or bytes kept in git, or bytes kept in LFS. */
export type FileSpec = string | Uint8Array | { readonly lfs: Uint8Array }

export interface RepoSpec {
  readonly type?: 'model' | 'dataset'
  readonly name: string
  /** `private` and `gated` want the hub's token. */
  readonly access?: 'public' | 'private' | 'gated'
  readonly commits: Record<string, Record<string, FileSpec>>
  /** Branches, tags and `refs/pr/N`. */
  readonly refs: Record<string, string>
}

export interface SeenRequest {
  readonly method: string
  /** `store` is the second origin, where LFS files lie. */
  readonly host: 'hub' | 'store'
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Body bytes sent so far. */
  sent: number
  /** Body bytes that came with the request so far. */
  received: number
  status: number
}

/** What goes wrong with the requests that `on` picks, the first `times` of them. */
export interface Failure {
  readonly on: (request: SeenRequest) => boolean
  readonly times?: number
  readonly how:
    /** `until`: the answer waits for that. */
    | {
        readonly kind: 'status'
        readonly status: number
        readonly headers?: Record<string, string>
        readonly until?: () => Promise<void>
      }
    /** Extra or other headers on an answer that is else as it should be; null removes one. */
    | { readonly kind: 'headers'; readonly headers: Record<string, string | null> }
    /**
     * The connection ends after so many bytes of the body (once the promise is kept: bytes under way may be lost with
     * it), or before the answer.
     */
    | { readonly kind: 'cut'; readonly after: number; readonly until?: Promise<void> }
    | { readonly kind: 'hang-up' }
    /** The connection ends when so many bytes of the request's body have come in. */
    | { readonly kind: 'cut-upload'; readonly after: number }
    /** A status before the body of the request is read. */
    | { readonly kind: 'early-status'; readonly status: number }
    /** All is done as it should be, and then the connection ends without a word. */
    | { readonly kind: 'lost-answer' }
    /** Nothing more of the request's body is read after so many bytes. */
    | { readonly kind: 'deaf'; readonly after: number }
    /** No answer until the promise is kept. */
    | { readonly kind: 'silence'; readonly until: Promise<void> }
    /** Nothing more comes after so many bytes, or until the promise is kept. */
    | { readonly kind: 'stall'; readonly after: number; readonly until?: Promise<void> }
    /** The whole file is another. */
    | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
    | { readonly kind: 'no-range' }
}

export interface Hub {
  /** For HF_ENDPOINT. */
  readonly endpoint: string
  /** Origin of LFS files. */
  readonly store: string
  readonly token: string
  readonly requests: readonly SeenRequest[]
  /** Requests since the last call. */
  take(): readonly SeenRequest[]
  add(repo: RepoSpec): void
  fail(failure: Failure): void
  /** Ends all failures. */
  heal(): void
  close(): Promise<void>
}

export interface HubOptions {
  /** Entries a page of a tree. */
  readonly pageSize?: number
  /** The token gives access to gated repositories. */
  readonly granted?: boolean
  /** Answers what this file does not know: uploads. */
  readonly extension?: Extension
}

/** Undefined: not a question of this kind. */
export type Extension = (state: State, seen: SeenRequest, body: Uint8Array) => Reply | undefined

export async function startHub(
  repos: readonly RepoSpec[] = [],
  { pageSize = 1000, granted = true, extension }: HubOptions = {},
): Promise<Hub> {
  const known = [...repos]
  const requests: SeenRequest[] = []
  let failures: { failure: Failure; left: number }[] = []
  let taken = 0

  const state: State = {
    repos: known,
    token: 'hf_testtoken',
    granted,
    pageSize,
    store: '',
    extension,
    failing(request) {
      const first = failures.find(({ failure, left }) => left > 0 && failure.on(request))
      if (first) first.left--
      return first?.failure.how
    },
  }
  const listener = (host: 'hub' | 'store') => (message: IncomingMessage, response: ServerResponse) => {
    const seen: SeenRequest = {
      method: message.method ?? '',
      host,
      path: message.url ?? '/',
      headers: message.headers,
      sent: 0,
      received: 0,
      status: 0,
    }
    requests.push(seen)
    void answer(state, seen, message, response)
  }
  const hub = await listen(createServer(listener('hub')))
  const store = await listen(createServer(listener('store')))
  state.store = originOf(store)

  return {
    endpoint: originOf(hub),
    store: state.store,
    token: state.token,
    requests,
    take: () => requests.slice(taken, (taken = requests.length)),
    add: (repo) => void known.push(repo),
    fail: (failure) => void failures.push({ failure, left: failure.times ?? Infinity }),
    heal: () => void (failures = []),
    async close() {
      for (const server of [hub, store]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

async function heldBack(how: Failure['how'] | undefined): Promise<void> {
  if (how?.kind === 'status') await how.until?.()
}

export interface State {
  repos: RepoSpec[]
  token: string
  granted: boolean
  pageSize: number
  store: string
  extension: Extension | undefined
  failing(request: SeenRequest): Failure['how'] | undefined
}

/** What the hub would say, before anything goes wrong. */
export interface Reply {
  status: number
  headers: Record<string, string | number>
  body?: Uint8Array
  /** Whether ranges are understood. */
  ranges?: boolean
}

async function answer(
  state: State,
  seen: SeenRequest,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const how = state.failing(seen)
  if (how?.kind === 'hang-up') return void response.destroy()
  if (how?.kind === 'early-status') {
    response.writeHead((seen.status = how.status)).end()
    return void message.on('data', ({ byteLength }: Buffer) => (seen.received += byteLength)) // closed with bytes unread, the answer could be lost
  }
  const body = await bodyOf(
    message,
    seen,
    how?.kind === 'cut-upload' || how?.kind === 'deaf' ? how.after : Infinity,
    how?.kind === 'deaf',
  )
  if (body === undefined) return
  if (how?.kind === 'silence') await how.until
  let reply =
    how?.kind === 'status'
      ? problem(how.status, undefined, 'as the test wants it', how.headers)
      : usualReply(state, seen, body)
  await heldBack(how)
  if (how?.kind === 'lost-answer') return void response.destroy()
  if (how?.kind === 'bytes') reply = { ...reply, body: how.bytes }
  if (how?.kind === 'no-range') delete reply.ranges
  reply = ranged(reply, seen)
  if (how?.kind === 'headers') changeHeaders(reply, how.headers)
  seen.status = reply.status
  await send(reply, seen, response, how)
}

function usualReply(state: State, seen: SeenRequest, body: Uint8Array): Reply {
  return state.extension?.(state, seen, body) ?? (seen.host === 'hub' ? hubReply(state, seen) : storeReply(state, seen))
}

function changeHeaders({ headers }: Reply, changes: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete headers[name]
    else headers[name] = value
  }
}

/** The body of a request; undefined if its connection ended before. */
async function bodyOf(
  message: IncomingMessage,
  seen: SeenRequest,
  limit: number,
  deaf: boolean,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  try {
    for await (const part of message as AsyncIterable<Uint8Array>) {
      parts.push(part)
      seen.received += part.byteLength
      if (seen.received >= limit) {
        if (deaf) await new Promise(() => undefined)
        message.destroy()
        return undefined
      }
    }
  } catch {
    return undefined
  }
  return Buffer.concat(parts)
}

async function send(
  { status, headers, body = new Uint8Array() }: Reply,
  seen: SeenRequest,
  response: ServerResponse,
  how: Failure['how'] | undefined,
): Promise<void> {
  response.writeHead(status, 'content-length' in headers ? headers : { ...headers, 'content-length': body.byteLength })
  if (seen.method === 'HEAD') return void response.end()
  response.flushHeaders()
  const stop = how?.kind === 'cut' || how?.kind === 'stall' ? Math.min(how.after, body.byteLength) : body.byteLength
  await written(response, body.subarray(0, stop))
  seen.sent = stop
  if (how?.kind === 'cut') {
    await how.until
    return void response.destroy()
  }
  if (how?.kind === 'stall') {
    if (!how.until) return // for ever
    await how.until
  }
  await written(response, body.subarray(stop))
  seen.sent = body.byteLength
  response.end()
}

async function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength > 0) await new Promise<void>((resolve) => response.write(bytes, () => resolve()))
}

/** One range, as downloads ask for it; If-Range with another validator gives the whole (RFC 9110 §13.1.5). */
function ranged(reply: Reply, { headers }: SeenRequest): Reply {
  const { body } = reply
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (!reply.ranges || !body || reply.status !== 200 || from === undefined) return reply
  if (headers['if-range'] !== undefined && headers['if-range'] !== reply.headers['etag']) return reply
  const start = Number(from)
  const end = Math.min(to ? Number(to) + 1 : body.byteLength, body.byteLength)
  if (start >= end) return { status: 416, headers: { 'content-range': `bytes */${body.byteLength}` } }
  const range = { 'content-range': `bytes ${start}-${end - 1}/${body.byteLength}` }
  return { ...reply, status: 206, headers: { ...reply.headers, ...range }, body: body.subarray(start, end) }
}

function hubReply(state: State, seen: SeenRequest): Reply {
  const url = new URL(seen.path, 'http://hub')
  const path = url.pathname.slice(1)
  if (path === '') return { status: 200, headers: {} }
  if (path === 'api/whoami-v2')
    return authorised(state, seen)
      ? json({ type: 'user', name: 'tester', orgs: [] })
      : problem(401, undefined, 'Invalid username or password.')
  const api = /^api\/(model|dataset)s\/(.+)$/.exec(path)
  const type = api ? (api[1] === 'model' ? 'model' : 'dataset') : path.startsWith('datasets/') ? 'dataset' : 'model'
  const rest = api?.[2] ?? path.replace(/^datasets\//, '')
  const repo = state.repos.find(
    (each) => (each.type ?? 'model') === type && (rest === each.name || rest.startsWith(`${each.name}/`)),
  )
  if (!repo) return problem(404, 'RepoNotFound', 'Repository not found')
  const refused = refusedAccess(state, repo, seen)
  if (refused) return refused

  const [verb = 'revision', revision = 'main', ...inside] = rest
    .slice(repo.name.length + 1)
    .split('/')
    .filter(Boolean)
    .map(decodeURIComponent)
  if (api && verb === 'refs') {
    const named = Object.entries(repo.refs).map(([name, targetCommit]) => ({
      name,
      ref: `refs/heads/${name}`,
      targetCommit,
    }))
    return json({
      branches: named.filter(({ name }) => !name.startsWith('refs/') && !name.startsWith('v')),
      converts: [],
      tags: named.filter(({ name }) => name.startsWith('v')),
    })
  }
  const commit = commitOf(repo, revision)
  const tree = commit === undefined ? undefined : repo.commits[commit]
  if (commit === undefined || !tree) return problem(404, 'RevisionNotFound', `Invalid rev id: ${revision}`)
  if (api && verb === 'revision') return json(description(repo, commit, tree))
  if (api && verb === 'tree') return treePage(state, url, `http://${seen.headers.host ?? ''}`, tree)
  if (!api && verb === 'resolve') return resolved(state, commit, inside.join('/'), tree)
  return problem(404, undefined, 'Not Found')
}

function resolved(state: State, commit: string, path: string, tree: Record<string, FileSpec>): Reply {
  const file = tree[path]
  if (file === undefined) return problem(404, 'EntryNotFound', 'Entry not found', { 'x-repo-commit': commit })
  const { bytes, oid, lfs } = stored(file)
  const common = { 'x-repo-commit': commit, etag: `"${oid}"`, 'accept-ranges': 'bytes' }
  if (!lfs) return { status: 200, headers: common, body: bytes, ranges: true }
  const linked = { 'x-linked-etag': `"${lfs.oid}"`, 'x-linked-size': bytes.byteLength }
  return { status: 302, headers: { ...common, ...linked, location: `${state.store}/objects/${lfs.oid}?signature=1` } }
}

/** The store knows objects, no repositories; its etags are its own, and a token sent here would be one given away. */
function storeReply(state: State, { path }: SeenRequest): Reply {
  const oid = /^\/objects\/(\w+)/.exec(path)?.[1]
  for (const repo of state.repos) {
    for (const file of Object.values(repo.commits).flatMap((tree) => Object.values(tree))) {
      const { bytes, lfs } = stored(file)
      if (lfs && lfs.oid === oid)
        return {
          status: 200,
          headers: { etag: `"${createHash('md5').update(bytes).digest('hex')}"`, 'accept-ranges': 'bytes' },
          body: bytes,
          ranges: true,
        }
    }
  }
  return problem(404, undefined, 'NoSuchKey')
}

function treePage(state: State, url: URL, origin: string, tree: Record<string, FileSpec>): Reply {
  const paths = Object.keys(tree).sort()
  const folders = [
    ...new Set(
      paths.flatMap((path) =>
        path
          .split('/')
          .slice(0, -1)
          .map((_, depth, parts) => parts.slice(0, depth + 1).join('/')),
      ),
    ),
  ].sort()
  const entries = [
    ...folders.map((path) => ({ type: 'directory', oid: sha1(path), size: 0, path })),
    ...paths.map((path) => {
      const { bytes, oid, lfs } = stored(tree[path] ?? '')
      return {
        type: 'file',
        oid,
        size: bytes.byteLength,
        path,
        ...(lfs ? { lfs: { oid: lfs.oid, size: bytes.byteLength, pointerSize: lfs.pointer.byteLength } } : {}),
      }
    }),
  ].filter(({ path }) => url.searchParams.get('recursive')?.toLowerCase() === 'true' || !path.includes('/'))
  const start = Number(url.searchParams.get('cursor') ?? 0)
  const next = start + state.pageSize
  const reply = json(entries.slice(start, next))
  if (next < entries.length) {
    url.searchParams.set('cursor', String(next))
    reply.headers['link'] = `<${origin}${url.pathname}${url.search}>; rel="next"`
  }
  return reply
}

function description(repo: RepoSpec, sha: string, tree: Record<string, FileSpec>): object {
  const when = '2024-01-01T00:00:00.000Z'
  const access = {
    private: repo.access === 'private',
    gated: repo.access === 'gated' ? 'manual' : false,
    disabled: false,
  }
  const siblings = Object.keys(tree).map((rfilename) => ({ rfilename }))
  return {
    _id: sha1(repo.name).slice(0, 24),
    id: repo.name,
    sha,
    ...access,
    downloads: 0,
    likes: 0,
    tags: [],
    siblings,
    lastModified: when,
    createdAt: when,
  }
}

function refusedAccess(state: State, repo: RepoSpec, seen: SeenRequest): Reply | undefined {
  if (repo.access === undefined || repo.access === 'public') return undefined
  const allowed = authorised(state, seen)
  if (repo.access === 'private') return allowed ? undefined : problem(401, 'RepoNotFound', 'Repository not found')
  if (!allowed) return problem(401, 'GatedRepo', `Access to ${repo.name} is restricted. Please log in.`)
  return state.granted
    ? undefined
    : problem(403, 'GatedRepo', `Access to ${repo.name} is restricted and you are not in the authorized list.`)
}

export function authorised(state: State, { headers }: SeenRequest): boolean {
  return headers.authorization === `Bearer ${state.token}`
}

export function commitOf(repo: RepoSpec, revision: string): string | undefined {
  return (
    repo.refs[revision] ??
    Object.keys(repo.commits).find(
      (commit) => commit === revision || (revision.length >= 7 && commit.startsWith(revision)),
    )
  )
}

interface Stored {
  bytes: Uint8Array
  /** What git hashes: the file, or the pointer to it. */
  oid: string
  lfs?: { oid: string; pointer: Uint8Array }
}

export function stored(file: FileSpec): Stored {
  if (typeof file === 'string') return stored(new TextEncoder().encode(file))
  if (file instanceof Uint8Array) return { bytes: file, oid: gitHash(file) }
  const oid = createHash('sha256').update(file.lfs).digest('hex')
  const pointer = new TextEncoder().encode(
    `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${file.lfs.byteLength}\n`,
  )
  return { bytes: file.lfs, oid: gitHash(pointer), lfs: { oid, pointer } }
}

/** Name of a file's blob in the cache. */
export function blobName(file: FileSpec): string {
  const { oid, lfs } = stored(file)
  return lfs?.oid ?? oid
}

function gitHash(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex')
}

export function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

export function json(value: unknown): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(value)),
  }
}

export function problem(
  status: number,
  code: string | undefined,
  message: string,
  headers: Record<string, string> = {},
): Reply {
  const body = new TextEncoder().encode(JSON.stringify({ error: message }))
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...(code ? { 'x-error-code': code } : {}),
      'x-error-message': message,
      ...headers,
    },
    body,
  }
}

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
