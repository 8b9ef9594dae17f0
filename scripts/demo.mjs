// The main job, offline: every layer of the carried sentence encoder on three carried tasks; then, from the same vectors, whether a mix of layers is better
// than the best one. Same program, same flags as anyone would use; only the hub's cache is the one in assets/.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const started = Date.now()
const model = 'sentence-transformers/all-MiniLM-L6-v2'
const places = [
  '--results',
  join(root, 'results'),
  '--cache-dir',
  join(root, '.cache', 'strata'),
  ...process.argv.slice(2),
]
const jobs = [
  [
    'layers',
    model,
    '--tasks',
    'STS17,Banking77Classification,XQuADRetrieval',
    '--subsets',
    'en-en,default,en',
    '--plot',
    join(root, 'results', 'layers.svg'),
  ],
  [
    'aggregate',
    model,
    '--tasks',
    'Banking77Classification',
    '--methods',
    'weighted,greedy,mean,last,best',
    '--pca-corpus',
    'task:STS17:test',
  ],
]
let status = 0
for (const job of jobs) {
  console.log(`\n$ strata ${job.map((word) => (word.startsWith(root) ? word.slice(root.length + 1) : word)).join(' ')}`)
  status ||=
    spawnSync(process.execPath, [join(root, 'lib/cli/main.js'), ...job, ...places], {
      stdio: 'inherit',
      env: { ...process.env, HF_HUB_CACHE: join(root, 'assets', 'hub'), HF_HUB_OFFLINE: '1' },
    }).status ?? 1
}
console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`)
process.exitCode = status
