// Which task files of lm-evaluation-harness run: node scripts/harness-support.mjs FOLDER [--list 20], the tasks folder of 0.4.13. Build first. The figures of docs/harness-support.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [folder, , most = '20'] = process.argv.slice(2)
const dist = join(import.meta.dirname, '..', 'dist')
const { chooseTasks, indexTasks, tasksOf } = await import(join(dist, 'task', 'harness', 'index.js'))
const { reasonsAgainst } = await import(join(dist, 'experiment', 'harness', 'run-harness.js'))

const scratch = mkdtempSync(join(tmpdir(), 'harness-support-'))
const indexing = { cache: scratch }
const index = await indexTasks([folder], indexing)
const counts = new Map()
const functions = new Map()
let [all, runs] = [0, 0]
for (const [name, { kind }] of index.entries) {
  if (kind !== 'task' && kind !== 'class') continue
  all++
  const reasons = kind === 'class' ? ['a Python class'] : await reasonsOf(name)
  if (reasons.length === 0) runs++
  for (const reason of new Set(reasons.map(sortOf))) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  for (const reason of reasons) functions.set(reason, (functions.get(reason) ?? 0) + 1)
}
rmSync(scratch, { recursive: true })
console.log(`${runs} of ${all} task files need nothing that is missing`)
for (const [reason, count] of byCount(counts)) console.log(`${String(count).padStart(6)}  ${reason}`)
console.log('\nmost wanted:')
for (const [reason, count] of byCount(functions).slice(0, Number(most)))
  console.log(`${String(count).padStart(6)}  ${reason.slice(0, 140)}`)

async function reasonsOf(name) {
  try {
    return tasksOf(await chooseTasks([name], index, indexing)).flatMap(({ config }) => reasonsAgainst(config))
  } catch (error) {
    return [`cannot be read: ${error.message}`]
  }
}

function sortOf(reason) {
  if (reason.startsWith('Python function')) return 'a Python function without a port'
  if (reason.startsWith('cannot be read')) return 'a file that cannot be read, or wants what is not run'
  if (/metric|filter/.test(reason)) return 'a metric or filter that is not written here'
  return reason
}

function byCount(map) {
  return [...map].sort(([, a], [, b]) => b - a)
}
