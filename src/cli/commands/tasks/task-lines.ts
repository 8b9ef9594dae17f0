/** Everything about one task. */
import { grouped, quantity } from '#core'
import { allBenchmarks, splitSizes } from '#task/registry'
import type { TaskInfo } from '#task/rows'
import { row } from '../../lines/rows.ts'
import { carriedCounts } from './carried-counts.ts'

export async function taskLines(task: TaskInfo): Promise<string[]> {
  const {
    name,
    type,
    protocol,
    dataset,
    aliases,
    splits,
    subsets,
    columns,
    mainScore,
    prompt,
    domains,
    licence,
    steps,
    unsupported,
    members,
    supersededBy,
  } = task
  const sizes = await splitSizes(name)
  const carried = Object.entries((await carriedCounts(task)) ?? {}).map(([what, count]) => `${grouped(count)} ${what}`)
  const benchmarks = (await allBenchmarks()).flatMap(({ name: benchmark, tasks }) =>
    tasks.has(name) ? [benchmark] : [],
  )
  const some = (title: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [row(title, list.join(', '))]
  const known = Object.entries(subsets)
  return [
    row('task', name),
    row('type', `${type} (${protocol})`),
    row('can be run', unsupported === undefined ? 'yes' : `no: ${unsupported}`),
    ...(members === undefined
      ? [
          row(
            'data set',
            `${dataset.path} @ ${dataset.revision}${dataset.config === undefined ? '' : `, config ${dataset.config}`}`,
          ),
        ]
      : [row('members', members.join(', '))]),
    ...aliases.map(({ path, revision }) => row('formerly', `${path} @ ${revision}`)),
    row('licence', licence),
    ...some('domains', domains),
    ...splits.map((split) => {
      const size = sizes[split]
      return row(
        'split',
        size === undefined
          ? `${split}: ${carried.length === 0 ? 'size unknown' : `${carried.join(', ')}, carried by the package`}`
          : `${split}: ${quantity(size.texts, 'text')}, ${quantity(size.characters, 'character')}`,
      )
    }),
    ...known.slice(0, shown).map(([subset, languages]) => row('subset', `${subset}: ${languages.join(', ')}`)),
    ...(known.length > shown ? [row('', `… and ${known.length - shown} more (--json has all)`)] : []),
    ...some(
      'columns',
      Object.entries(columns).map(([field, column]) => (field === column ? field : `${field} = ${column}`)),
    ),
    row('main score', mainScore),
    ...promptRows(prompt).map(([side, text]) => row('prompt', side === '' ? text : `${side}: ${text}`)),
    ...steps.map((step) => row('step', JSON.stringify(step))),
    ...some('part of', benchmarks),
    ...(supersededBy === undefined ? [] : [row('see also', `${supersededBy} supersedes it`)]),
  ]
}

const shown = 60

function promptRows(prompt: TaskInfo['prompt']): [string, string][] {
  if (prompt === undefined) return []
  return typeof prompt === 'string' ? [['', prompt]] : Object.entries(prompt)
}
