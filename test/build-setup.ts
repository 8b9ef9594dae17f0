/**
 * Builds `dist` before the tests when it is older than the sources, and its bundle: tests read the program, and run it,
 * from there.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { takeLock } from '#platform/disk'
import { bundleBuilt } from './bundle.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const staging = join(root, '.cache', 'build')
const script = '../scripts/is-built.mjs'
const { isBuilt, testStamp } = (await import(script)) as { isBuilt: () => boolean; testStamp: string }
const stamp = join(root, testStamp)
/** Only what changed since the build before. */
const incremental = ['--incremental', '--tsBuildInfoFile', join(staging, 'build.tsbuildinfo')]

export async function setup(): Promise<void> {
  mkdirSync(dirname(staging), { recursive: true })
  // Another run may be at it.
  const lock = await takeLock(`${staging}.lock`, { giveUp: () => false })
  try {
    if (!isBuilt()) build()
    await bundleBuilt()
  } finally {
    await lock?.release()
  }
}

/** Compiles aside and moves over what changed, so that tests running meanwhile never read half a file. */
function build(): void {
  const out = join(staging, 'dist')
  mkdirSync(staging, { recursive: true })
  // Its own time is when the build began.
  writeFileSync(`${stamp}.begun`, '')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  // Type errors are the type check's to report: what can be emitted is what tests need.
  spawnSync(
    process.execPath,
    [tsc, '-p', 'tsconfig.build.json', '--outDir', out, '--noCheck', '--noEmitOnError', 'false', ...incremental],
    { cwd: root, stdio: 'ignore' },
  )
  for (const page of [join('result', 'report', 'client'), join('serve', 'board', 'client')])
    spawnSync(process.execPath, [tsc, '-p', join('src', page), '--outDir', join(out, page)], {
      cwd: root,
      stdio: 'ignore',
    })
  if (!existsSync(join(out, 'platform', 'runtime', 'worker.js')))
    throw new Error('the build made no platform/runtime/worker.js: run npx tsc -p tsconfig.build.json')
  for (const path of filesBelow(out)) {
    const target = join(dist, path)
    if (existsSync(target) && readFileSync(target).equals(readFileSync(join(out, path)))) continue
    mkdirSync(dirname(target), { recursive: true })
    const half = `${target}.${process.pid}.tmp`
    cpSync(join(out, path), half)
    renameSync(half, target)
  }
  renameSync(`${stamp}.begun`, stamp)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true,
  )
}
