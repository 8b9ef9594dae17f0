// Records docs/tasks-support.json: a static model through the built program on every task whose data set an offline hub cache holds. `npm run generate`
// makes docs/tasks-support.md from it and the registry. HF_HOME=<made by make-hf-cache> node scripts/tasks-support.mjs   (model: $STRATA_SHARED, default ../shared)
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { findTasks } from '../dist/task/registry/index.js'

const shared = resolve(process.env.STRATA_SHARED ?? '../shared')
const model = join(shared, 'models', 'potion-base-4M-int8')
const hub = process.env.HF_HUB_CACHE ?? join(process.env.HF_HOME ?? '', 'hub')
const there = new Set(readdirSync(hub).filter((name) => name.startsWith('datasets--')))
const isThere = ({ path }) => there.has(`datasets--${path.replaceAll('/', '--')}`)
const { tasks } = await findTasks(['*'])
const chosen = tasks.filter((task) => [task.dataset, ...task.aliases].some(isThere))

const scratch = mkdtempSync(join(tmpdir(), 'strata-tasks-'))
const shown = {}
for (const { name, subsets, splits } of chosen) {
  // English shows a task in very many languages as well as all of them do, in minutes instead of hours
  const narrow = Object.keys(subsets).length > 20 ? ['--languages', 'eng'] : []
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      'dist/cli/main.js',
      'evaluate',
      model,
      '--tasks',
      name,
      '--json',
      '--results',
      join(scratch, 'results'),
      '--cache-dir',
      join(scratch, 'cache'),
      ...narrow,
    ],
    { encoding: 'utf8', env: { ...process.env, HF_HUB_OFFLINE: '1' }, maxBuffer: 2 ** 28 },
  )
  const line = stdout.split('\n').find((text) => text.includes('"task_name"'))
  if (line === undefined) {
    console.error(`${name}: ${stderr.trim().split('\n')[0]}`)
    continue
  }
  const { scores = {}, strata } = JSON.parse(line)
  const parts = Object.values(scores).flat()
  const score = parts.length === 0 ? null : parts.reduce((sum, { main_score: own }) => sum + own, 0) / parts.length
  // subsets that the cache lacks are missing, not failed
  if (parts.length > 0)
    shown[name] = {
      parts: parts.length,
      of: Object.keys(subsets).length * splits.length,
      score: Number(score.toFixed(6)),
    }
  else console.error(`${name}: ${strata.code} ${strata.reason}`)
  console.log(name, parts.length, score)
}
rmSync(scratch, { recursive: true, force: true })
writeFileSync('docs/tasks-support.json', `${JSON.stringify({ model: basename(model), tasks: shown }, null, 1)}\n`)
console.log(`${Object.keys(shown).length} of ${chosen.length} tasks shown`)
