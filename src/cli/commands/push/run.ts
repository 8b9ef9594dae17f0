/** `strata push`: uploads a folder to a repository of the hub, or prints the plan. Prints the page of the commit. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fault, byteText } from '#core'
import { type CardFields, cardFields } from '#files/cards'
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
    // the hub reads other fields from the card of a data set
    const card = plan.type === 'model' ? await cardIn(plan) : undefined
    if (flags.json === true) terminal.print(JSON.stringify({ ...planned(plan), card }))
    else show(plan, card, { source: source ?? name, terminal })
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

/** Undefined where files are sent to a repository that has its card, or gets it later. */
async function cardIn({ files, exists }: PushPlan): Promise<CardFields | undefined> {
  const readme = files.find(({ path }) => path === 'README.md')
  if (readme !== undefined) return cardFields(await readFile(readme.full, 'utf8'))
  return exists || !files.some(({ path }) => path === 'config.json') ? undefined : cardFields(undefined)
}

function show(
  plan: PushPlan,
  card: CardFields | undefined,
  { source, terminal }: { readonly source: string; readonly terminal: Terminal },
): void {
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
  if (card !== undefined) {
    card.stated.forEach(({ name, text }, at) => line(at === 0 ? 'card' : '', `${name}: ${text}`))
    if (card.missing.length > 0) line('not stated', card.missing.join(', '))
    for (const reason of card.unclear) line('unclear', reason)
  }
  if (plan.notAsked !== undefined)
    line(
      'not asked',
      `the hub, as ${plan.notAsked}: whether the repository exists and what would be deleted is unknown`,
    )
}
