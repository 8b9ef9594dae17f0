// Makes src/task/registry/sizes.json from the statistics that ship with the package mteb 2.26.24 (Apache-2.0): per task and split the number of different texts
// and their characters; over the subsets of a benchmark too, where it narrows a task. node scripts/task-sizes.mjs <folder of the package mteb>
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('which folder?')
const data = join(import.meta.dirname, '..', 'src', 'task', 'registry')
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const { tasks } = read(join(data, 'registry.json'))
const { benchmarks } = read(join(data, 'benchmarks.json'))
const files = new Map()
const stats = join(folder, 'descriptive_stats')
for (const path of readdirSync(stats, { recursive: true }))
  if (path.endsWith('.json')) files.set(path.split(/[\\/]/).at(-1).slice(0, -5), join(stats, path))

const statsOf = (name) => (files.has(name) ? read(files.get(name)) : {})
const sum = (pairs) => pairs.reduce(([texts, letters], [a, b]) => [texts + a, letters + b], [0, 0])

const sizes = {}
for (const [name, { splits }] of Object.entries(tasks)) {
  const known = statsOf(name)
  const own = splits.flatMap((split) => {
    const whole = textsIn(known[split])
    return whole ? [[split, whole]] : []
  })
  if (own.length > 0) sizes[name] = Object.fromEntries(own)
}

const narrowed = {}
for (const [benchmark, { tasks: members }] of Object.entries(benchmarks)) {
  const own = Object.entries(members).flatMap(([name, { splits = tasks[name].splits, subsets }]) => {
    if (!subsets) return []
    const known = statsOf(name)
    const parts = splits.flatMap((split) =>
      subsets.map((subset) => textsIn(known[split]?.hf_subset_descriptive_stats?.[subset])),
    )
    return parts.includes(undefined) ? [] : [[name, sum(parts)]]
  })
  if (own.length > 0) narrowed[benchmark] = Object.fromEntries(own)
}

const lines = (table) =>
  Object.entries(table)
    .map(([name, own]) => `${JSON.stringify(name)}:${JSON.stringify(own)}`)
    .join(',\n')
writeFileSync(
  join(data, 'sizes.json'),
  `{"source":"mteb 2.26.24, descriptive_stats","tasks":{\n${lines(sizes)}\n},"benchmarks":{\n${lines(narrowed)}\n}}\n`,
)
console.log(`${Object.keys(sizes).length} of ${Object.keys(tasks).length} tasks`)

/** [different texts, characters] over every kind of text of a split. */
function textsIn(stats) {
  if (stats === undefined || stats === null) return undefined
  const kinds = Object.entries(stats).filter(
    ([key, one]) =>
      key.endsWith('_statistics') &&
      one !== null &&
      typeof one.unique_texts === 'number' &&
      typeof one.total_text_length === 'number',
  )
  if (kinds.length === 0) return undefined
  // lengths are of all rows, in which texts may be repeated
  const letters = ([, { unique_texts: texts, average_text_length: average, total_text_length: total }]) =>
    average === undefined ? total : Math.round(texts * average)
  return [
    kinds.reduce((total, [, one]) => total + one.unique_texts, 0),
    kinds.reduce((total, kind) => total + letters(kind), 0),
  ]
}
