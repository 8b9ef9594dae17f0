// The main job, offline: every layer of the carried sentence encoder on three carried tasks. Same program, same flags as anyone would use;
// only the hub's cache is the one in assets/.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const started = Date.now()
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'dist/cli/main.js'),
    'layers',
    'sentence-transformers/all-MiniLM-L6-v2',
    '--tasks',
    'STS17,Banking77Classification,XQuADRetrieval',
    '--subsets',
    'en-en,default,en',
    '--output-folder',
    join(root, 'results'),
    '--cache-dir',
    join(root, '.cache', 'strata'),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, HF_HUB_CACHE: join(root, 'assets', 'hub'), HF_HUB_OFFLINE: '1' } },
)
console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`)
process.exitCode = status ?? 1
