/** Builds `dist` before the tests when it is older than the sources: worker threads and the program run from there. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist', 'runtime', 'worker.js')
const lock = join(root, 'node_modules', '.strata-build')
const staleMilliseconds = 120_000

export async function setup(): Promise<void> {
  if (builtAt() >= newestSource()) return
  const held = await takeLock()
  try {
    // Another run may have built while this one waited.
    if (builtAt() >= newestSource()) return
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    // Type errors are the type check's to report: what can be emitted is what tests need.
    spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noEmitOnError', 'false'], { cwd: root, stdio: 'ignore' })
    if (!existsSync(built)) throw new Error('the build made no dist/runtime/worker.js: run npx tsc -p tsconfig.build.json')
  } finally {
    if (held) rmSync(lock, { recursive: true, force: true })
  }
}

function builtAt(): number {
  return existsSync(built) ? statSync(built).mtimeMs : 0
}

function newestSource(): number {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}

/** False when an abandoned lock was waited out: then build all the same. */
async function takeLock(): Promise<boolean> {
  for (const start = Date.now(); Date.now() - start < staleMilliseconds;) {
    try {
      mkdirSync(lock)
      return true
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  rmSync(lock, { recursive: true, force: true })
  return false
}
