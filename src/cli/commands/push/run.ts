/** `strata push`: uploads a folder to a repository of the hub, or prints the plan. Prints the page of the commit. */
import { join } from 'node:path'
import { fault, byteText } from '#core'
import { planPush, push, type PushPlan } from '#files/hub'
import { isUnfinishedMerge } from '#model/merge'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { cacheFolder } from '../../options/model-options.ts'
import { hubOptions, parseRepo } from '../../options/hub-options.ts'
import { row } from '../../lines/rows.ts'

export const run: CommandRun<Flags> = async ([given = '', source, pathInRepo], flags, terminal) => {
  const { name, revision } = parseRepo(given, flags)
  const options = {
    ...hubOptions(flags, terminal),
    revision,
    pathInRepo,
    isPrivate: flags.private === true,
    remove: flags.delete ?? [],
    message: flags.commitMessage,
    description: flags.commitDescription,
    createPr: flags.createPr === true,
    dryRun: flags.dryRun === true,
    stateFolder: join(cacheFolder(), 'uploads'),
  }
  if (source !== undefined && (await isUnfinishedMerge(source))) {
    throw fault('usage.conflict', {
      place: source,
      what: 'the merge in this folder is not finished',
      hint: 'run the same strata merge again: it continues where it stopped',
    })
  }
  const plan = await planPush(name, source, options)
  if (flags.dryRun === true) {
    if (flags.json === true) terminal.print(JSON.stringify(planned(plan)))
    else show(plan, source ?? name, terminal)
    return 0
  }
  const pushed = await push(plan, options)
  if (flags.json === true) {
    terminal.print(JSON.stringify(pushed))
    return 0
  }
  for (const note of pushed.notes) terminal.note(`README.md: ${note}`)
  const count = (state: string): number => pushed.files.filter((file) => file.state === state).length
  const words = [
    `${count('sent') + count('committed')} new`,
    `${count('present')} already there`,
    `${count('unchanged')} unchanged`,
    ...(count('ignored') > 0 ? [`${count('ignored')} left out by .gitignore`] : []),
    ...(pushed.deleted.length > 0 ? [`${pushed.deleted.length} deleted`] : []),
  ]
  terminal.note(
    `${pushed.unchanged ? 'nothing to commit' : `committed to ${pushed.repo}`}: ${words.join(', ')}; ${byteText(pushed.sentBytes)} sent`,
  )
  terminal.print(pushed.url)
  return 0
}

function planned({ files, ...plan }: PushPlan): object {
  return { ...plan, files: files.map(({ path, size }) => ({ path, size })) }
}

function show(plan: PushPlan, source: string, terminal: Terminal): void {
  const line = (name: string, text: string): void => terminal.print(row(name, text))
  const made = plan.exists || plan.notAsked !== undefined ? '' : `, will be made${plan.isPrivate ? ', private' : ''}`
  line(
    'push',
    `${source} → ${plan.repo}@${plan.revision} (${plan.type}${made}${plan.createPr ? ', as a pull request' : ''})`,
  )
  line('message', plan.message)
  line('files', `${plan.files.length}, ${byteText(plan.bytes)}`)
  for (const { path, size } of plan.files) line('', `${path}  ${byteText(size)}`)
  for (const path of plan.deleted) line('delete', path)
  if (plan.notAsked !== undefined)
    line(
      'not asked',
      `the hub, as ${plan.notAsked}: whether the repository exists and what would be deleted is unknown`,
    )
}
