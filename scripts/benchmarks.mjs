// Makes src/task/registry/benchmarks.json: the benchmarks of mteb 2.26.24 (mteb_registry.json), each task with the splits and subsets the benchmark narrows it to.
// node scripts/benchmarks.mjs   ($STRATA_SHARED, default ../shared)
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const specs = join(process.env.STRATA_SHARED ?? join(import.meta.dirname, '..', '..', 'shared'), 'specs')
const open = JSON.parse(readFileSync(join(specs, 'mteb_registry.json'), 'utf8'))
const closed = JSON.parse(readFileSync(join(import.meta.dirname, 'closed-tasks.json'), 'utf8'))
const [tasks, benchmarks] = ['tasks', 'benchmarks'].map((key) => [...open[key], ...closed[key]])
const known = new Map(tasks.map((task) => [task.name, task]))

const lines = benchmarks.map(({ name, aliases, tasks: entries }) => {
  const members = entries.map((entry) => {
    const { name: task, splits, subsets } = typeof entry === 'string' ? { name: entry } : entry
    const whole = known.get(task)
    if (whole === undefined) throw new Error(`${name} names ${task}, which the registry does not have`)
    // a list that leaves nothing out narrows nothing
    const narrows = (list, all) => list !== undefined && all.some((one) => !list.includes(one))
    const narrowed = {
      ...(narrows(splits, whole.splits) || splits?.some((split) => !whole.splits.includes(split)) ? { splits } : {}),
      ...(narrows(subsets, Object.keys(whole.subsets)) ? { subsets } : {}),
    }
    return [task, narrowed]
  })
  return `${JSON.stringify(name)}:${JSON.stringify({ ...(aliases.length > 0 ? { aliases } : {}), tasks: Object.fromEntries(members) })}`
})
writeFileSync(
  join(import.meta.dirname, '..', 'src', 'task', 'registry', 'benchmarks.json'),
  `{"source":"mteb 2.26.24","benchmarks":{\n${lines.join(',\n')}\n}}\n`,
)
console.log(`${benchmarks.length} benchmarks`)
