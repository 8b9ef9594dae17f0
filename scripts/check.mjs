// Everything that must hold, cheapest first; the same here and in CI. `node scripts/check.mjs [step …]` runs only the named steps.
// Two steps run at once, since each keeps one core busy; the tests, which keep all of them busy, run alone.
// The last line printed is `N passed, N failed, N skipped`.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBuilt, wholeStamp } from './is-built.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'strata-check-'))
const counts = join(scratch, 'counts.txt')
const bin = (name) => join('node_modules', '.bin', name)

/** @type {[name: string, command: string, args: string[]][]} */
const steps = [
  ['format', bin('oxfmt'), ['--check', 'src', 'test', 'examples', 'bench', 'oracles']],
  [
    'lint',
    bin('oxlint'),
    ['--type-aware', '--deny-warnings', 'src', 'test', 'examples', 'scripts', 'bench', 'oracles'],
  ],
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['types of the page', bin('tsc'), ['-p', 'src/result/report/client', '--noEmit']],
  ['types of the board', bin('tsc'), ['-p', 'src/serve/board/client', '--noEmit']],
  ['rooms', bin('depcruise'), ['--config', '.dependency-cruiser.mjs', 'src']],
  ['dead code', bin('knip'), []],
  ['English', process.execPath, ['scripts/english.mjs']],
  ['build', 'npm', ['run', '--silent', 'build']],
  ['package shape', bin('publint'), ['--strict']],
  ['generated files', process.execPath, ['scripts/generate.mjs', '--check']],
  ['tests', bin('vitest'), ['run', '--reporter=default', '--reporter=./scripts/counts-reporter.mjs']],
]
const lanes = 2
/** Reads what the build wrote. */
const ofBuild = ['package shape', 'generated files']

const wanted = process.argv.slice(2)
const env = { ...process.env, STRATA_COUNTS: counts, npm_config_loglevel: 'error' }
const waiting = steps.filter(([name]) => wanted.length === 0 || wanted.includes(name))
const running = new Map()
let failed = 0

while (waiting.length + running.size > 0) {
  const next = running.size === lanes ? -1 : waiting.findIndex(([name]) => mayBegin(name))
  if (next === -1) await Promise.race(running.values())
  else {
    const [step] = waiting.splice(next, 1)
    // a step that has nothing to do is over at once: it leaves the table only after it has entered it
    running.set(
      step[0],
      run(step).finally(() => running.delete(step[0])),
    )
  }
}

/** Tests begin when everything else is over. */
function mayBegin(name) {
  if (name === 'tests') return waiting.length === 1 && running.size === 0
  return !ofBuild.includes(name) || !(running.has('build') || waiting.some(([other]) => other === 'build'))
}

/** Prints what a step printed when it is over, the tests' as it comes. */
async function run([name, command, args]) {
  const started = Date.now()
  const isThere = name === 'build' && isBuilt([wholeStamp])
  const { status, text } = isThere ? { status: 0, text: '' } : await ended(command, args, name === 'tests')
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  process.stdout.write(text)
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${isThere ? 'nothing has changed since' : `${seconds} s`})`,
  )
  if (status !== 0) failed++
}

function ended(command, args, atOnce) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: atOnce ? 'inherit' : ['ignore', 'pipe', 'pipe'], env })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (piece) => (text += piece))
    child.on('error', (error) => resolve({ status: 1, text: `${error.message}\n` }))
    child.on('close', (status) => resolve({ status, text }))
  })
}

// A failed step that is no test counts as one failed, so that the last line never looks green when something is not.
let [passedTests = 0, failedTests = 0, skippedTests = 0] = []
try {
  ;[passedTests, failedTests, skippedTests] = readFileSync(counts, 'utf8').split(' ').map(Number)
} catch {
  // tests did not run
}
rmSync(scratch, { recursive: true, force: true })
console.log(`${passedTests} passed, ${String(Math.max(failedTests, failed))} failed, ${skippedTests} skipped`)
process.exit(failed === 0 ? 0 : 1)
