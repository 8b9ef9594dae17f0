/**
 * How the hub wants each file – committed as it is, or as a large file in git-lfs – and what it has of it already
 * (`preupload` of the hub's API).
 */
import { fault } from '#core'
import { zod } from '#files/formats'
import { apiAddress, requestJson, jsonBody, jsonHeaders, type Target } from './push-request.ts'
import { bytesOf, fileBody, type LocalFile, sampleOf } from './push-files.ts'
import type { PushPlan } from './push-plan.ts'
import { listEntries, type TreeEntry } from '../tree.ts'

export interface UploadMode {
  readonly mode: 'lfs' | 'regular'
  /** Hash of what the repository has under this name, of the kind that goes with the mode; undefined if nothing. */
  readonly remote: string | undefined
}

const filesPerRequest = 256

/** How each file is kept, by path; those that the repository's .gitignore leaves out are missing. */
export async function uploadModes(
  target: Target,
  plan: PushPlan,
  head: string | undefined,
): Promise<Map<string, UploadMode>> {
  const z = zod()
  const file = z.object({
    path: z.string(),
    uploadMode: z.enum(['lfs', 'regular']),
    shouldIgnore: z.boolean().nullish(),
    oid: z.string().nullish(),
  })
  const [ignore, attributes] = await Promise.all(
    ['.gitignore', '.gitattributes'].map((path) => smallText(plan.files.find((each) => each.path === path))),
  )
  const address = `${apiAddress(target, `preupload/${encodeURIComponent(plan.revision)}`)}${plan.createPr ? '?create_pr=1' : ''}`
  const answers: ReturnType<(typeof file)['parse']>[] = []
  for (let at = 0; at < plan.files.length; at += filesPerRequest) {
    const asked = plan.files.slice(at, at + filesPerRequest)
    const files = await Promise.all(
      asked.map(async (each) => ({
        path: each.path,
        size: each.size,
        sample: (await sampleOf(each)).toString('base64'),
      })),
    )
    const body = jsonBody({ files, gitIgnore: ignore, gitAttributes: attributes })
    const schema = z.object({ files: z.array(file) })
    answers.push(
      ...(
        await requestJson(
          target,
          address,
          { method: 'POST', headers: jsonHeaders, body },
          schema,
          `${target.name}@${plan.revision}`,
        )
      ).files,
    )
  }
  // A hub that does not say what it has is asked for its listing.
  const told = head === undefined || answers.some((answer) => answer.oid !== undefined)
  const entries: ReadonlyMap<string, TreeEntry> =
    told || head === undefined ? new Map() : await listEntries(target.settings, target, head, target.signal)
  const modes = new Map<string, UploadMode>()
  const known = new Map(answers.map((answer) => [answer.path, answer]))
  for (const { path, size } of plan.files) {
    const answer = known.get(path)
    if (!answer)
      throw fault('hub.server', {
        place: `${target.name} › ${path}`,
        what: 'the hub does not say how to keep the file',
      })
    if (answer.shouldIgnore) continue
    const mode = size === 0 ? 'regular' : answer.uploadMode // a store takes no empty object
    modes.set(path, { mode, remote: answer.oid ?? entries.get(path)?.[mode === 'lfs' ? 'sha256' : 'oid'] })
  }
  return modes
}

async function smallText(file: LocalFile | undefined): Promise<string | undefined> {
  return file === undefined || file.size > 2 ** 20 ? undefined : (await bytesOf(fileBody(file))).toString('utf8')
}
