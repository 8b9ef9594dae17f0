// A worker of its own process: `node one-worker.mjs FOLDER JOBS MILLISECONDS --worker NAME`. A job writes its own file anew; what it writes depends on the job alone.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { work } from '../../../dist/experiment/workers/index.js'

const [folder, count, milliseconds, , worker] = process.argv.slice(2)
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const summary = await work(
  Array.from({ length: Number(count) }, (_, i) => ({ id: `job-${i}`, group: `model-${i % 10}`, seconds: 1 })),
  async ({ id }, signal) => {
    if (Number(milliseconds) > 0) await sleep(Number(milliseconds), undefined, { signal })
    await writeFile(join(folder, 'out', id), createHash('sha256').update(id).digest('hex'))
    return id.endsWith('13') ? { state: 'failed', what: 'unlucky' } : { state: 'done' }
  },
  { folder, worker, signal: stop.signal },
)
process.stdout.write(JSON.stringify(summary))
