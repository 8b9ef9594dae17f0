/**
 * Pushes a folder into a repository of the hub: missing files are sent, then everything is committed at once. Local
 * files are never deleted or changed; files of the repository only on request.
 */
import { fault } from '#core'
import type { RepoType } from '../names.ts'
import { stopIfCancelled } from '../retry.ts'
import { commitChange, type CommitFile, commitPage } from './push-commit.ts'
import { bytesOf, checkUnchanged, fileBody } from './push-files.ts'
import { hashFiles } from './hash-files.ts'
import { uploadModes } from './upload-modes.ts'
import { openPushState } from './push-state.ts'
import { sendObjects } from './push-objects.ts'
import type { PushOptions, PushPlan } from './push-plan.ts'
import { checkCard, checkMayPush, createBranch, createRepo, findRepo } from './push-repo.ts'
import { hubSettings } from '../settings.ts'

export interface Pushed {
  readonly repo: string
  readonly type: RepoType
  /** Page of the commit, or of the pull request if one was opened. */
  readonly url: string
  readonly commit: string
  /** True if all was there: no commit was made. */
  readonly unchanged: boolean
  readonly files: readonly {
    readonly path: string
    readonly size: number
    readonly state: 'sent' | 'present' | 'committed' | 'unchanged' | 'ignored'
  }[]
  readonly deleted: readonly string[]
  /** Bytes of large files that were sent. */
  readonly sentBytes: number
  readonly notes: readonly string[]
}

/**
 * Carries out the plan. Files that the hub has are not sent, unchanged files are not committed; after a fault or a kill
 * the same call continues where it stopped. Throws `hub.denied`, `hub.missing`, `hub.conflict`, `hub.limit`,
 * `hub.busy`, `hub.server`, `hub.network`, `format.yaml` (the model card), `file.unreadable` (a file that changed
 * meanwhile; nothing is committed then), `run.cancelled`.
 */
export async function push(
  plan: PushPlan,
  { settings = hubSettings(), stateFolder, onProgress, signal }: PushOptions = {},
): Promise<Pushed> {
  checkMayPush(settings, plan.repo)
  if (plan.notAsked !== undefined)
    throw fault('usage.conflict', {
      place: plan.repo,
      what: `the plan was made without the hub, as ${plan.notAsked}`,
      hint: 'plan the push again, without dryRun',
    })
  const named = { settings, type: plan.type, name: plan.repo, signal }
  const target = plan.exists ? named : { ...named, name: await createRepo(named, plan) }
  const before = await findRepo(target, plan.revision)
  if (before.head === undefined && plan.revision !== 'main') await createBranch(target, plan.revision)

  const card = plan.files.find(({ path }) => path === 'README.md')
  const notes = card ? await checkCard(target, (await bytesOf(fileBody(card))).toString('utf8')) : []
  const state = await openPushState(plan.folder, stateFolder)
  const modes = await uploadModes(target, plan, before.head)
  const ready: CommitFile[] = []
  const states = new Map<string, Pushed['files'][number]['state']>()
  await hashFiles(plan.files, modes, state, { onProgress, signal }, (each, remote) => {
    const same = remote !== undefined && remote === each.oid && !plan.deleted.includes(each.file.path)
    const pending = each.mode === 'lfs' ? 'present' : 'committed'
    states.set(each.file.path, same ? 'unchanged' : pending)
    if (!same) ready.push(each)
  })

  const large = ready.filter(({ mode }) => mode === 'lfs')
  const total = large.reduce((sum, { file }) => sum + file.size, 0)
  const onBytes = (done: number): void => onProgress?.({ stage: `upload ${target.name}`, done, total, unit: 'bytes' })
  const revision = plan.createPr ? undefined : plan.revision
  const { sent, bytes } = await sendObjects(target, large, { revision, pushState: state, onBytes })
  for (const { file, oid } of large) if (sent.has(oid)) states.set(file.path, 'sent')
  for (const { file } of ready) await checkUnchanged(file)
  stopIfCancelled(signal)

  const files = plan.files.map(({ path, size }) => ({ path, size, state: states.get(path) ?? ('ignored' as const) }))
  const common = { repo: target.name, type: plan.type, files, deleted: plan.deleted, sentBytes: bytes, notes }
  if (ready.length === 0 && plan.deleted.length === 0) {
    const commit = before.head ?? ''
    return { ...common, commit, url: commitPage(target, commit), unchanged: true }
  }
  const order = new Map(plan.files.map(({ path }, index) => [path, index]))
  ready.sort((a, b) => (order.get(a.file.path) ?? 0) - (order.get(b.file.path) ?? 0))
  const { commit, url, pullRequest } = await commitChange(target, { ...plan, files: ready })
  return { ...common, commit, url: pullRequest ?? url, unchanged: false }
}
