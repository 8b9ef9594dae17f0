/**
 * Every distinct template of lm-evaluation-harness's task files on seeded rows: Jinja2 as lm_eval sets it up, and
 * Strata – the same bytes, or both fail.
 *
 *   node bench/run.mjs templates --tasks lm_eval/tasks [--rows 60] [--show 5]
 *
 * `--tasks` is the tasks folder of lm-eval 0.4.13 (default: below `$STRATA_LM_EVAL`). The peer gathers the templates,
 * makes the rows and renders; what Strata reads from the same files must be the same set of templates.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { flag } from '../../bench/lib/flags.ts'
import { parityResults, peers, python, scratchFolder } from '../../bench/lib/places.ts'
import { table, writeResult } from '../../bench/lib/report.ts'
import { chooseTasks, indexTasks, isFunctionReference, renderTemplate, tasksOf } from '../../bench/lib/strata.ts'

type Row = Parameters<typeof renderTemplate>[1]

interface Rendering {
  readonly row: Row
  readonly text?: string
  readonly error?: string
}

interface Peer {
  readonly templates: readonly {
    readonly template: string
    readonly tasks: number
    readonly rows: readonly Rendering[]
  }[]
  readonly versions: Readonly<Record<string, string>>
}

interface Difference {
  readonly template: string
  readonly row: Row
  readonly theirs: string
  readonly ours: string
  readonly cause: string
}

/** Keys whose texts the harness renders. */
const rendered = [
  'doc_to_text',
  'doc_to_target',
  'doc_to_choice',
  'doc_to_image',
  'doc_to_audio',
  'doc_to_decontamination_query',
  'description',
  'gen_prefix',
]

const folder = resolve(flag('tasks', join(process.env['STRATA_LM_EVAL'] ?? 'lm_eval', 'tasks')))
const show = Number(flag('show', '5'))
const file = join(scratchFolder('templates'), 'peer.json')
const { status } = spawnSync(
  python,
  [join(peers, 'python', 'templates.py'), folder, file, '--rows', flag('rows', '60')],
  { stdio: 'inherit' },
)
if (status !== 0) throw new Error('the peer failed: is lm-eval 0.4.13 in its environment?')
const { templates, versions } = JSON.parse(readFileSync(file, 'utf8')) as Peer

const differences: Difference[] = []
const counts = {
  templates: templates.length,
  withTags: 0,
  renderedOnce: 0,
  renderings: 0,
  texts: 0,
  bothFail: 0,
  different: 0,
}
for (const { template, rows } of templates) {
  if (/\{[{%#]/.test(template)) {
    counts.withTags++
    if (rows.some(({ text }) => text !== undefined)) counts.renderedOnce++
  }
  for (const { row, text, error } of rows) {
    counts.renderings++
    const ours = render(template, row)
    if (text !== undefined && ours.text === text) counts.texts++
    else if (text === undefined && ours.text === undefined) counts.bothFail++
    else {
      counts.different++
      const [theirs, own] = [text ?? `fails: ${error ?? ''}`, ours.text ?? `fails: ${ours.error ?? ''}`]
      differences.push({ template, row, theirs, ours: own, cause: causeOf(text, error, ours) })
    }
  }
}

const read = await templatesOf(folder)
const known = new Set(templates.map(({ template }) => template))
const gathered = {
  unread: read.unread,
  missing: [...known].filter((template) => !read.templates.has(template)),
  further: [...read.templates].filter((template) => !known.has(template)),
}

console.log(table(Object.entries(counts)))
console.log(
  `templates that only the peer gathers: ${gathered.missing.length}, only Strata: ${gathered.further.length}, tasks that Strata cannot read: ${read.unread.length}`,
)
for (const template of [...gathered.missing, ...gathered.further].slice(0, show))
  console.log(`  ${JSON.stringify(template).slice(0, 200)}`)
const causes = grouped(differences)
for (const [cause, found] of causes) {
  console.log(`\n${found.length} × ${cause} (${new Set(found.map(({ template }) => template)).size} templates)`)
  for (const { template, row, theirs, ours } of found.slice(0, show)) {
    console.log(`  template ${JSON.stringify(template).slice(0, 400)}\n  row      ${JSON.stringify(row).slice(0, 400)}`)
    console.log(`  jinja2   ${around(theirs, ours)}\n  strata   ${around(ours, theirs)}`)
  }
}
writeResult(
  'templates',
  {
    versions,
    ...counts,
    differences: Object.fromEntries(causes.map(([cause, found]) => [cause, found.length])),
    gathered: { onlyPeer: gathered.missing.length, onlyStrata: gathered.further.length, unread: gathered.unread },
  },
  { folder: parityResults },
)

function render(template: string, row: Row): { text?: string; error?: string } {
  try {
    return { text: renderTemplate(template, row, 'bench') }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

function causeOf(text: string | undefined, error: string | undefined, ours: { text?: string; error?: string }): string {
  const general = (message: string): string => message.replace(/'[^']*'|"[^"]*"|\d+/g, '…').slice(0, 120)
  if (text === undefined) return `only Jinja2 fails: ${general(error ?? '')}`
  return ours.text === undefined
    ? `only Strata fails: ${general((ours.error ?? '').split(' – ')[0] ?? '')}`
    : 'other text'
}

/** The stretch where a text begins to differ from the other. */
function around(text: string, other: string): string {
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 120))
}

function grouped(found: readonly Difference[]): (readonly [string, readonly Difference[]])[] {
  const groups = new Map<string, Difference[]>()
  for (const difference of found) groups.set(difference.cause, [...(groups.get(difference.cause) ?? []), difference])
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
}

async function templatesOf(tasks: string): Promise<{ templates: Set<string>; unread: string[] }> {
  const cache = mkdtempSync(join(tmpdir(), 'templates-'))
  const found = new Set<string>()
  const unread: string[] = []
  const index = await indexTasks([tasks], { cache })
  for (const [name, { kind }] of index.entries) {
    if (kind !== 'task' && kind !== 'group') continue
    try {
      for (const { config } of tasksOf(await chooseTasks([name], index, { cache }))) collect(config.written, found)
    } catch (error) {
      unread.push(`${name}: ${(error as Error).message}`)
    }
  }
  rmSync(cache, { recursive: true })
  return { templates: found, unread: unread.map((line) => line.replaceAll(`${tasks}/`, '')) }
}

/** Texts of rendered keys at any depth; `fewshot_config` has them too. */
function collect(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found)
  else if (typeof value === 'object' && value !== null && !isFunctionReference(value))
    for (const [key, own] of Object.entries(value)) {
      if (rendered.includes(key)) {
        for (const one of Array.isArray(own) && /image|audio/.test(key) ? own : [own])
          if (typeof one === 'string' && one !== '') found.add(one)
      } else if (key !== 'samples' && key !== 'metadata') collect(own, found)
    }
}
