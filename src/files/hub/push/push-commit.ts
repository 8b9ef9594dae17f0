/**
 * The commit that makes the uploaded files part of the repository: one request, a line per change
 * (https://huggingface.co/docs/hub/api, `POST /api/{type}s/{repo}/commit/{rev}`).
 */
import { Fault, fault } from '#core'
import { zod } from '#files/formats'
import { request } from '../request.ts'
import { retry } from '../retry.ts'
import { apiAddress, bytesBody, readAnswer, type Target } from './push-request.ts'
import { findRepo } from './push-repo.ts'
import { bytesOf, fileBody, type LocalFile } from './push-files.ts'
import { pushRefusal } from './push-refusal.ts'
import { listEntries } from '../tree.ts'

/** A file as it is committed; `oid` is its SHA-256 for `lfs`, git's hash of the contents for `regular`. */
export interface CommitFile {
  readonly file: LocalFile
  readonly mode: 'lfs' | 'regular'
  readonly oid: string
}

export interface Change {
  readonly revision: string
  readonly message: string
  readonly description: string
  readonly createPr: boolean
  readonly files: readonly CommitFile[]
  readonly deleted: readonly string[]
}

export interface Committed {
  readonly commit: string
  readonly url: string
  readonly pullRequest?: string | undefined
}

/** The hub takes no more in one request; larger pushes become several commits, each complete in itself. */
const mostFiles = 5_000
const mostRegularBytes = 64 * 2 ** 20

/**
 * Commits; throws the faults of `pushRefusal` and the network. A commit whose answer was lost is looked for before it
 * is asked for again.
 */
export async function commitChange(target: Target, change: Change): Promise<Committed> {
  const parts = partsOf(change)
  let last: Committed | undefined
  for (const [index, part] of parts.entries()) {
    const message = parts.length === 1 ? change.message : `${change.message} (part ${index + 1} of ${parts.length})`
    const pullRequest = last?.pullRequest
    const onRequest = pullRequest === undefined ? undefined : pullRequestRef(pullRequest)
    last = await commitPart(target, {
      ...part,
      message,
      ...(onRequest === undefined ? {} : { revision: onRequest, createPr: false }),
    })
    if (pullRequest !== undefined) last = { ...last, pullRequest }
  }
  if (last) return last
  throw fault('internal', { place: target.name, what: 'the commit would change nothing' })
}

function partsOf(change: Change): Change[] {
  const groups: CommitFile[][] = [[]]
  let bytes = 0
  for (const each of change.files) {
    const regular = each.mode === 'regular' ? each.file.size : 0
    if ((groups.at(-1)?.length ?? 0) >= mostFiles || (bytes > 0 && bytes + regular > mostRegularBytes)) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(each)
    bytes += regular
  }
  return groups.map((files, index) => ({ ...change, files, deleted: index === 0 ? change.deleted : [] }))
}

function pullRequestRef(url: string): string {
  return `refs/pr/${/\/discussions\/(\d+)/.exec(url)?.[1] ?? ''}`
}

async function commitPart(target: Target, change: Change): Promise<Committed> {
  const { settings, signal, name } = target
  const place = `${name}@${change.revision}`
  const body = bytesBody(await linesOf(change))
  const address = `${apiAddress(target, `commit/${encodeURIComponent(change.revision)}`)}${change.createPr ? '?create_pr=1' : ''}`
  let doubtful = false
  const text = await retry(
    async (): Promise<string | Committed> => {
      if (doubtful) {
        const landed = await landedCommit(target, change)
        if (landed) return landed
      }
      doubtful = false
      try {
        const onSent = (sent: number): void => void (doubtful = sent === body.byteLength)
        const response = await request(settings, address, {
          method: 'POST',
          headers: { 'content-type': 'application/x-ndjson' },
          body,
          onSent,
          fresh: true,
          signal,
        })
        if (response.status >= 200 && response.status < 300) return await response.text()
        doubtful = response.status >= 500
        throw await pushRefusal(settings, response, place)
      } catch (error) {
        if (doubtful && change.createPr && error instanceof Fault) throw lostRequest(error, place, settings.endpoint)
        throw error
      }
    },
    { patience: settings.patience, signal },
  )
  return typeof text === 'string' ? committed(target, change, text) : text
}

function lostRequest(error: Fault, place: string, endpoint: string): Fault {
  const hint = `look at the pull requests there (${endpoint}) before you start again: it may have been opened`
  return fault(error.code, {
    place,
    what: 'no answer came to the pull request',
    seen: error.message,
    hint,
    cause: error,
  })
}

function committed(target: Target, change: Change, text: string): Committed {
  const z = zod()
  const schema = z.object({
    commitUrl: z.string().nullish(),
    commitOid: z.string().nullish(),
    pullRequestUrl: z.string().nullish(),
  })
  const { commitUrl, commitOid, pullRequestUrl } = readAnswer(schema, text, `${target.name} › commit`)
  const commit = commitOid ?? ''
  return {
    commit,
    url: commitUrl ?? commitPage(target, commit),
    pullRequest: (change.createPr && pullRequestUrl) || undefined,
  }
}

/** Where people look at a commit. */
export function commitPage({ settings, type, name }: Target, commit: string): string {
  return `${settings.endpoint}/${type === 'dataset' ? 'datasets/' : ''}${name}/commit/${commit}`
}

/** The head of the branch, if it holds the change already. */
async function landedCommit(target: Target, { revision, files, deleted }: Change): Promise<Committed | undefined> {
  const { head } = await findRepo(target, revision)
  if (head === undefined) return undefined
  const there = await listEntries(target.settings, target, head, target.signal)
  const same =
    files.every(({ file, oid, mode }) => there.get(file.path)?.[mode === 'lfs' ? 'sha256' : 'oid'] === oid) &&
    !deleted.some((path) => there.has(path))
  return same ? { commit: head, url: commitPage(target, head) } : undefined
}

async function linesOf({ message, description, files, deleted }: Change): Promise<Buffer> {
  const lines: object[] = [{ key: 'header', value: { summary: message, description } }]
  for (const path of deleted) lines.push({ key: 'deletedFile', value: { path } })
  for (const { file, mode, oid } of files) {
    if (mode === 'lfs') lines.push({ key: 'lfsFile', value: { path: file.path, algo: 'sha256', oid, size: file.size } })
    else
      lines.push({
        key: 'file',
        value: { content: (await bytesOf(fileBody(file))).toString('base64'), path: file.path, encoding: 'base64' },
      })
  }
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
