/** Folders of lm-evaluation-harness: the newest results_<date>.json of each model and task, by the date in the name – the file's own changes when it is copied. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import type { ScoreTable } from './score-table.ts'

/** Scores in the order in which one is taken for the task's; several in a row are averaged, as the Open LLM Leaderboard does for IFEval. */
const scoreFields = [
  ['acc_norm,none'],
  ['acc,none'],
  ['exact_match,none'],
  ['exact_match,strict-match'],
  ['prompt_level_strict_acc,none', 'inst_level_strict_acc,none'],
] as const

interface Found {
  readonly value: number
  readonly group: string
  readonly file: string
}

export async function readHarnessFolder(folder: string): Promise<ScoreTable> {
  const names = await readdir(folder, { recursive: true }).catch(() => undefined)
  if (names === undefined) throw fault('file.missing', { place: folder, what: 'no such folder of harness results' })
  const files = names.filter((name) => /^results.*\.json$/.test(basename(name))).sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
  const models = new Map<string, Map<string, Found>>()
  const notices: string[] = []
  for (const file of files) {
    const place = join(folder, file)
    const document = parseJson(await readFile(place, 'utf8'), place)
    if (!isObject(document) || !isObject(document['results'])) throw fault('result.invalid', { place, what: 'no results of lm-evaluation-harness' })
    const model = typeof document['model_name'] === 'string' ? document['model_name'] : basename(join(place, '..')).replace('__', '/')
    const own = models.get(model) ?? new Map<string, Found>()
    models.set(model, own)
    const groups = isObject(document['group_subtasks']) ? document['group_subtasks'] : {}
    for (const [task, scores] of Object.entries(document['results'])) {
      const children = groups[task]
      if (Array.isArray(children) && children.length > 0) continue
      const value = scoreOf(scores)
      if (value === undefined) {
        notices.push(`${place}: ${task} has no score that is known`)
        continue
      }
      const name = task.replace(/^leaderboard_/, '')
      const before = own.get(name)
      if (before !== undefined) notices.push(`${model} ${name}: ${file} is newer than ${before.file}`)
      own.set(name, { value, group: groupOf(task, groups).replace(/^leaderboard_/, ''), file })
    }
  }
  if (models.size === 0) throw fault('result.invalid', { place: folder, what: 'no result in it', wanted: 'results_<date>.json of lm-evaluation-harness' })
  const tasks = new Map([...models.values()].flatMap((own) => [...own].map(([name, { group }]) => [name, group] as const)))
  return {
    models: [...models.keys()],
    rows: [...tasks].map(([name, group]) => ({ name, group, values: [...models.values()].map((own) => own.get(name)?.value ?? null) })),
    notices,
  }
}

function scoreOf(scores: unknown): number | undefined {
  if (!isObject(scores)) return undefined
  for (const fields of scoreFields) {
    const values = fields.flatMap((field) => {
      const value = scores[field]
      return typeof value === 'number' && Number.isFinite(value) ? [value] : []
    })
    if (values.length === fields.length) return values.reduce((sum, value) => sum + value, 0) / values.length
  }
  return undefined
}

/** The smallest group that names it, the whole leaderboard aside; else itself. */
function groupOf(task: string, groups: Readonly<Record<string, unknown>>): string {
  const holding = Object.entries(groups).flatMap(([name, children]) =>
    name !== 'leaderboard' && Array.isArray(children) && children.includes(task) ? [{ name, size: children.length }] : [],
  )
  return holding.sort((a, b) => a.size - b.size)[0]?.name ?? task
}
