/**
 * The part of the test hub that takes: repositories and branches made, preupload, the git-lfs batch API with basic and
 * multipart transfers, verify, commits as ndjson, pull requests. It keeps objects by hash and remembers how often each
 * came. Sources: huggingface_hub 0.36 and 2.4, @huggingface/hub 2.17, the git-lfs API.
 */
import { createHash } from 'node:crypto'
import {
  authorised,
  commitOf,
  type Extension,
  type FileSpec,
  json,
  problem,
  type Reply,
  type RepoSpec,
  type SeenRequest,
  sha1,
  type State,
  stored,
} from './server.ts'

export interface UploadOptions {
  /** Larger objects come in parts of this size. */
  readonly partLength?: number
  /** Of the token. */
  readonly role?: 'read' | 'write' | 'fineGrained'
  /** Organisations the token may write to. */
  readonly owners?: readonly string[]
  /** Preupload tells what the repository has, as the hub does. */
  readonly tellsOids?: boolean
}

export interface Uploads {
  readonly extension: Extension
  /** What the store has, by SHA-256. */
  readonly objects: ReadonlyMap<string, Uint8Array>
  /** Whole bodies that came in, one entry each: the object's hash, `#n` for part n. */
  readonly arrivals: readonly string[]
  /** Messages of the commits made, oldest first. */
  readonly messages: readonly string[]
}

type Tree = Record<string, FileSpec>

interface Keeping {
  options: Required<UploadOptions>
  objects: Map<string, Uint8Array>
  /** Parts by upload, then by number. */
  parts: Map<string, { oid: string; parts: Map<number, Uint8Array> }>
  /** Uploads laid out so far: no two have the same name. */
  layouts: number
  arrivals: string[]
  messages: string[]
}

export function takeUploads({
  partLength = Infinity,
  role = 'write',
  owners = ['tester', 'org'],
  tellsOids = true,
}: UploadOptions = {}): Uploads {
  const keeping: Keeping = {
    options: { partLength, role, owners, tellsOids },
    objects: new Map(),
    parts: new Map(),
    layouts: 0,
    arrivals: [],
    messages: [],
  }
  return {
    extension: (state, seen, body) =>
      seen.host === 'store' ? storeTakes(keeping, seen, body) : hubTakes(keeping, state, seen, body),
    objects: keeping.objects,
    arrivals: keeping.arrivals,
    messages: keeping.messages,
  }
}

function hubTakes(keeping: Keeping, state: State, seen: SeenRequest, body: Uint8Array): Reply | undefined {
  const url = new URL(seen.path, 'http://hub')
  const path = url.pathname.slice(1)
  if (path === 'api/whoami-v2' && authorised(state, seen)) {
    const accessToken = { displayName: 'test', role: keeping.options.role, createdAt: '2024-01-01T00:00:00.000Z' }
    return json({ type: 'user', name: 'tester', orgs: [], auth: { type: 'access_token', accessToken } })
  }
  if (seen.method !== 'POST') return undefined
  if (path === 'api/validate-yaml') return cardReply(body)
  // Its address is its permission, as with the parts: clients send no token here.
  if (path === 'lfs/complete') return completeReply(keeping, url.searchParams.get('upload') ?? '', body)
  if (!authorised(state, seen)) return problem(401, undefined, 'Invalid username or password.')
  if (path === 'api/repos/create')
    return keeping.options.role === 'read'
      ? readOnly()
      : createReply(keeping, state, `http://${seen.headers.host ?? ''}`, body)
  if (path === 'lfs/verify') return verifyReply(keeping, body)

  return repoTakes(keeping, state, seen, body, url)
}

/** Questions to one repository. */
function repoTakes(keeping: Keeping, state: State, seen: SeenRequest, body: Uint8Array, url: URL): Reply | undefined {
  const path = url.pathname.slice(1)
  const batch = /^(datasets\/)?(.+?)\.git\/info\/lfs\/objects\/batch$/.exec(path)
  const api = /^api\/(model|dataset)s\/(.+?)\/(branch|preupload|commit)\/([^/]+)$/.exec(path)
  const type = (batch ? batch[1] !== undefined : api?.[1] === 'dataset') ? 'dataset' : 'model'
  const name = batch?.[2] ?? api?.[2]
  if (name === undefined) return undefined
  const repo = state.repos.find((each) => (each.type ?? 'model') === type && each.name === name)
  if (!repo) return problem(404, 'RepoNotFound', 'Repository not found')
  if (keeping.options.role === 'read') return readOnly()
  if (batch) return batchReply(keeping, state, seen, body)
  const [verb, revision] = [api?.[3], decodeURIComponent(api?.[4] ?? '')]
  const proposal = url.searchParams.get('create_pr') === '1'
  const owner = name.split('/')[0] ?? ''
  if (!proposal && verb !== 'preupload' && !keeping.options.owners.includes(owner))
    return problem(403, undefined, `Forbidden: pass \`create_pr=1\` as a query parameter`)
  if (verb === 'branch') return branchReply(repo, revision)
  return verb === 'preupload'
    ? preuploadReply(keeping, repo, revision, body)
    : commitReply(keeping, `http://${seen.headers.host ?? ''}`, repo, revision, body, proposal)
}

function storeTakes(keeping: Keeping, seen: SeenRequest, body: Uint8Array): Reply | undefined {
  if (seen.method !== 'PUT') return undefined
  // A store knows its own signatures only, and wants to know the length before.
  if (seen.headers.authorization !== undefined) return problem(400, undefined, 'Only one auth mechanism allowed')
  if (seen.headers['content-length'] === undefined) return problem(411, undefined, 'MissingContentLength')
  const [, oid] = /^\/upload\/(\w+)\?signature=1$/.exec(seen.path) ?? []
  const [, upload, number] = /^\/part\/(\w+)\/(\d+)\?signature=1$/.exec(seen.path) ?? []
  if (oid !== undefined) {
    keeping.arrivals.push(oid)
    keeping.objects.set(oid, body)
    return { status: 200, headers: { etag: `"${md5(body)}"` } }
  }
  const parted = keeping.parts.get(upload ?? '')
  if (!parted) return problem(404, undefined, 'NoSuchUpload')
  keeping.arrivals.push(`${parted.oid}#${number}`)
  parted.parts.set(Number(number), body)
  return { status: 200, headers: { etag: `"${md5(body)}"` } }
}

function createReply(keeping: Keeping, state: State, home: string, body: Uint8Array): Reply {
  const {
    name,
    organization,
    type,
    private: isPrivate,
  } = parsed(body) as { name: string; organization: string | null; type?: string; private?: boolean }
  const owner = organization ?? 'tester'
  if (!keeping.options.owners.includes(owner))
    return problem(403, undefined, `You don't have the rights to create a model under the namespace "${owner}"`)
  const kind = type === 'dataset' ? 'dataset' : 'model'
  const full = `${owner}/${name}`
  const url = `${home}/${kind === 'dataset' ? 'datasets/' : ''}${full}`
  if (state.repos.some((each) => (each.type ?? 'model') === kind && each.name === full))
    return { ...json({ error: 'You already created this model repo', url }), status: 409 }
  const first = sha1(`${kind} ${full}`)
  const access = isPrivate === true ? ('private' as const) : ('public' as const)
  state.repos.push({
    type: kind,
    name: full,
    access,
    commits: { [first]: { '.gitattributes': '*.safetensors filter=lfs\n' } },
    refs: { main: first },
  })
  return json({ url, name: full, id: sha1(full).slice(0, 24) })
}

function branchReply(repo: RepoSpec, branch: string): Reply {
  if (repo.refs[branch] !== undefined) return problem(409, undefined, 'Reference already exists')
  repo.refs[branch] = repo.refs['main'] ?? ''
  return json({})
}

function preuploadReply({ options }: Keeping, repo: RepoSpec, revision: string, body: Uint8Array): Reply {
  const { files, gitIgnore } = parsed(body) as {
    files: { path: string; size: number; sample: string }[]
    gitIgnore?: string
  }
  const commit = commitOf(repo, revision)
  const tree: Tree | undefined = commit === undefined ? undefined : repo.commits[commit]
  if (!tree) return problem(404, 'RevisionNotFound', `Invalid rev id: ${revision}`)
  const ignored = (gitIgnore ?? '').split('\n').filter(Boolean)
  return json({
    commitOid: commit,
    files: files.map(({ path, size, sample }) => {
      const present = tree[path]
      const binary = Buffer.from(sample, 'base64').includes(0) || size > 10_000_000
      const oid = present === undefined ? null : (stored(present).lfs?.oid ?? stored(present).oid)
      return {
        path,
        uploadMode: binary ? 'lfs' : 'regular',
        shouldIgnore: ignored.includes(path),
        ...(options.tellsOids ? { oid } : {}),
      }
    }),
  })
}

function batchReply(keeping: Keeping, state: State, seen: SeenRequest, body: Uint8Array): Reply {
  const { objects, transfers = ['basic'] } = parsed(body) as {
    objects: { oid: string; size: number }[]
    transfers?: string[]
  }
  const home = `http://${seen.headers.host ?? ''}`
  const parted = transfers.includes('multipart') && objects.some(({ size }) => size > keeping.options.partLength)
  const reply = json({
    transfer: parted ? 'multipart' : 'basic',
    objects: objects.map(({ oid, size }) => {
      if (keeping.objects.has(oid)) return { oid, size }
      const verify = { href: `${home}/lfs/verify`, header: {} }
      if (size <= keeping.options.partLength)
        return {
          oid,
          size,
          actions: { upload: { href: `${state.store}/upload/${oid}?signature=1`, header: {} }, verify },
        }
      const upload = `${oid.slice(0, 12)}x${keeping.layouts++}`
      keeping.parts.set(upload, { oid, parts: new Map() })
      const count = Math.ceil(size / keeping.options.partLength)
      const parts = Array.from({ length: count }, (_, i) => [
        String(i + 1).padStart(5, '0'),
        `${state.store}/part/${upload}/${i + 1}?signature=1`,
      ])
      const header = {
        chunk_size: String(keeping.options.partLength),
        ...(Object.fromEntries(parts) as Record<string, string>),
      }
      return { oid, size, actions: { upload: { href: `${home}/lfs/complete?upload=${upload}`, header }, verify } }
    }),
  })
  return { ...reply, headers: { 'content-type': 'application/vnd.git-lfs+json' } }
}

function completeReply(keeping: Keeping, upload: string, body: Uint8Array): Reply {
  const { oid, parts } = parsed(body) as { oid: string; parts: { partNumber: number; etag: string }[] }
  const parted = keeping.parts.get(upload)
  if (!parted || parted.oid !== oid) return problem(404, undefined, 'NoSuchUpload')
  const bodies = parts.map(({ partNumber, etag }) => {
    const body = parted.parts.get(partNumber)
    return body && `"${md5(body)}"` === etag ? body : undefined
  })
  if (bodies.includes(undefined) || bodies.length === 0) return problem(400, undefined, 'InvalidPart')
  keeping.objects.set(oid, Buffer.concat(bodies as Uint8Array[]))
  keeping.parts.delete(upload)
  return json({ success: true })
}

function verifyReply(keeping: Keeping, body: Uint8Array): Reply {
  const { oid, size } = parsed(body) as { oid: string; size: number }
  const bytes = keeping.objects.get(oid)
  return bytes?.byteLength === size ? json({}) : problem(404, undefined, 'Object not found')
}

function commitReply(
  keeping: Keeping,
  home: string,
  repo: RepoSpec,
  revision: string,
  body: Uint8Array,
  proposal: boolean,
): Reply {
  const parent = commitOf(repo, revision)
  if (parent === undefined) return problem(404, 'RevisionNotFound', `Invalid rev id: ${revision}`)
  const tree: Tree = { ...repo.commits[parent] }
  const lines = new TextDecoder().decode(body).split('\n').filter(Boolean)
  let summary = ''
  for (const line of lines) {
    const { key, value } = JSON.parse(line) as {
      key: string
      value: { path: string; summary: string; content: string; oid: string; encoding: string }
    }
    if (key === 'header') summary = value.summary
    else if (key === 'deletedFile') {
      if (tree[value.path] === undefined) return problem(404, 'EntryNotFound', "A file with this name doesn't exist")
      delete tree[value.path]
    } else if (key === 'file') tree[value.path] = Buffer.from(value.content, 'base64')
    else if (key === 'lfsFile') {
      const bytes = keeping.objects.get(value.oid)
      if (!bytes) return problem(400, undefined, `LFS pointer pointed to a file that does not exist: ${value.oid}`)
      tree[value.path] = { lfs: bytes }
    } else return problem(400, undefined, `unknown key ${key}`)
  }
  if (summary === '') return problem(400, undefined, 'a commit needs a summary')
  keeping.messages.push(summary)
  const commit = sha1(`${parent} ${keeping.messages.length} ${lines.length}`)
  repo.commits[commit] = tree
  const number = Object.keys(repo.refs).filter((ref) => ref.startsWith('refs/pr/')).length + 1
  repo.refs[proposal ? `refs/pr/${number}` : revision] = commit
  const page = `${home}/${repo.type === 'dataset' ? 'datasets/' : ''}${repo.name}`
  return json({
    success: true,
    commitOid: commit,
    commitUrl: `${page}/commit/${commit}`,
    hookOutput: '',
    ...(proposal ? { pullRequestUrl: `${page}/discussions/${number}` } : {}),
  })
}

/** Only what a card is refused for most: a block of metadata without an end. */
function cardReply(body: Uint8Array): Reply {
  const { content } = parsed(body) as { content: string }
  const open = content.startsWith('---\n') && !content.includes('\n---', 3)
  return open
    ? { ...json({ errors: [{ message: 'the metadata block has no end' }], warnings: [] }), status: 400 }
    : json({ errors: [], warnings: [] })
}

function readOnly(): Reply {
  return problem(403, undefined, 'You have read access but not the required permissions for this operation')
}

function parsed(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(body))
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
