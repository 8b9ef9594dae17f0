/** How the hub wants each file, what it has of it already, and what the file's hash is. */
import { createHash } from 'node:crypto'
import { fault, type OnProgress } from '#core'
import { zod } from '#files/formats'
import { inParallel } from '../in-parallel.ts'
import { stopIfCancelled } from '../persist.ts'
import { apiAddress, askJson, jsonBody, jsonHeaders, type Target } from './push-ask.ts'
import type { CommitFile } from './push-commit.ts'
import { bytesOf, fileBody, type LocalFile, sampleOf } from './push-files.ts'
import type { PushMemory } from './push-memory.ts'
import type { PushPlan } from './push-plan.ts'
import { listEntries, type TreeEntry } from '../tree.ts'

export interface Mode {
  readonly mode: 'lfs' | 'regular'
  /** Hash of what the repository has under this name, of the kind that goes with the mode; undefined if nothing. */
  readonly remote: string | undefined
}

const filesPerQuestion = 256

/** How each file is kept, by path; those that the repository's .gitignore leaves out are missing. */
export async function askModes(target: Target, plan: PushPlan, head: string | undefined): Promise<Map<string, Mode>> {
  const z = zod()
  const file = z.object({
    path: z.string(),
    uploadMode: z.enum(['lfs', 'regular']),
    shouldIgnore: z.boolean().nullish(),
    oid: z.string().nullish(),
  })
  const [ignore, attributes] = await Promise.all(['.gitignore', '.gitattributes'].map((path) => smallText(plan.files.find((each) => each.path === path))))
  const address = `${apiAddress(target, `preupload/${encodeURIComponent(plan.revision)}`)}${plan.createPr ? '?create_pr=1' : ''}`
  const answers: ReturnType<(typeof file)['parse']>[] = []
  for (let at = 0; at < plan.files.length; at += filesPerQuestion) {
    const asked = plan.files.slice(at, at + filesPerQuestion)
    const files = await Promise.all(asked.map(async (each) => ({ path: each.path, size: each.size, sample: (await sampleOf(each)).toString('base64') })))
    const body = jsonBody({ files, gitIgnore: ignore, gitAttributes: attributes })
    const schema = z.object({ files: z.array(file) })
    answers.push(...(await askJson(target, address, { method: 'POST', headers: jsonHeaders, body }, schema, `${target.name}@${plan.revision}`)).files)
  }
  // A hub that does not say what it has is asked for its listing.
  const told = head === undefined || answers.some((answer) => answer.oid !== undefined)
  const entries: ReadonlyMap<string, TreeEntry> = told || head === undefined ? new Map() : await listEntries(target.settings, target, head, target.signal)
  const modes = new Map<string, Mode>()
  const known = new Map(answers.map((answer) => [answer.path, answer]))
  for (const { path, size } of plan.files) {
    const answer = known.get(path)
    if (!answer) throw fault('hub.server', { place: `${target.name} › ${path}`, what: 'the hub does not say how to keep the file' })
    if (answer.shouldIgnore) continue
    const mode = size === 0 ? 'regular' : answer.uploadMode // a store takes no empty object
    modes.set(path, { mode, remote: answer.oid ?? entries.get(path)?.[mode === 'lfs' ? 'sha256' : 'oid'] })
  }
  return modes
}

async function smallText(file: LocalFile | undefined): Promise<string | undefined> {
  return file === undefined || file.size > 2 ** 20 ? undefined : (await bytesOf(fileBody(file))).toString('utf8')
}

interface Hearing {
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/** Hashes what is not remembered; `found` hears each file, with what the repository has under its name. */
export async function hashAll(
  files: readonly LocalFile[],
  modes: ReadonlyMap<string, Mode>,
  memory: PushMemory,
  { onProgress, signal }: Hearing,
  found: (file: CommitFile, remote: string | undefined) => void,
): Promise<void> {
  const open = files.flatMap((file) => (modes.has(file.path) ? [file] : []))
  const total = open.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  await inParallel(open, 2, signal, async (file, stop) => {
    const { mode, remote } = modes.get(file.path) ?? { mode: 'regular', remote: undefined }
    const known = mode === 'lfs' ? memory.hash(file) : undefined
    const begun = Date.now()
    const hash = createHash(mode === 'lfs' ? 'sha256' : 'sha1')
    if (mode === 'regular') hash.update(`blob ${file.size}\0`)
    if (known === undefined) {
      for await (const piece of fileBody(file).pieces()) {
        stopIfCancelled(stop)
        hash.update(piece)
        done += piece.byteLength
        onProgress?.({ stage: 'hash', done, total, unit: 'bytes' })
      }
    } else done += file.size
    const oid = known ?? hash.digest('hex')
    if (known === undefined && mode === 'lfs') await memory.keepHash(file, oid, begun)
    found({ file, mode, oid }, remote)
  })
}
