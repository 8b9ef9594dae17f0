/** The table of a harness run, as lm-evaluation-harness prints it: groups with their tasks indented below. */
import type { HarnessRun } from '#experiment/ask'
import type { MetricValues, Node } from '#task/harness'

const headings = ['Tasks', 'Version', 'Filter', 'n-shot', 'Metric', '', 'Value', '', 'Stderr']

export function harnessLines({ tasks, groups }: HarnessRun, nodes: readonly Node[]): string[] {
  const runs = new Map(tasks.map((run) => [run.task.name, run]))
  const rows: string[][] = []
  const add = (node: Node, depth: number): void => {
    const name = `${depth === 0 ? '' : `${' '.repeat(depth)}- `}${node.kind === 'task' ? node.config.alias : node.alias}`
    if (node.kind === 'task') {
      const run = runs.get(node.name)
      if (run !== undefined)
        rows.push(
          ...metricRows(
            name,
            version(node.config.version),
            String(run.numFewshot),
            run.scores.values,
            run.higherIsBetter,
          ),
        )
      return
    }
    const own = groups.get(node.name)
    const values = own?.values ?? {}
    if (Object.keys(values).length === 0) rows.push([name, version(node.version), '', '', '', '', '', '', ''])
    else rows.push(...metricRows(name, version(node.version), '', values, {}))
    for (const member of node.members) add(member, depth + 1)
  }
  for (const node of nodes) add(node, 0)
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `|${cells.map((cell, i) => (i === 1 || i > 5 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join('|')}|`
  return [
    line(headings),
    `|${widths.map((width, i) => (i === 1 || i > 5 ? `${'-'.repeat(Math.max(1, width - 1))}:` : '-'.repeat(Math.max(1, width)))).join('|')}|`,
    ...rows.map(line),
  ]
}

function metricRows(
  name: string,
  versionText: string,
  shots: string,
  values: MetricValues,
  higher: Readonly<Record<string, boolean>>,
): string[][] {
  return Object.keys(values)
    .filter((key) => !key.split(',')[0]?.endsWith('_stderr'))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((key) => {
      const [metric = '', filter = ''] = key.split(',')
      const error = values[`${metric}_stderr,${filter}`]
      return [
        name,
        versionText,
        filter,
        shots,
        metric,
        arrow(higher[metric]),
        number(values[key]),
        '±',
        error === undefined || error === 'N/A' ? 'N/A' : number(error),
      ]
    })
}

function arrow(higherIsBetter: boolean | undefined): string {
  if (higherIsBetter === undefined) return ''
  return higherIsBetter ? '↑' : '↓'
}

function number(value: number | 'N/A' | undefined): string {
  return typeof value === 'number' ? value.toFixed(4) : 'N/A'
}

function version(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'number')
    return value.value.toFixed(1)
  if (value === undefined || value === null) return 'N/A'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
