// Everything that must hold, cheapest first; the same here and in CI. `node scripts/check.mjs [step …]` runs only the named steps.
// The last line printed is `N passed, N failed, N skipped`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  ['rooms', bin('depcruise'), ['--config', '.dependency-cruiser.mjs', 'src']],
  ['dead code', bin('knip'), []],
  ['English', process.execPath, ['scripts/english.mjs']],
  ['build', 'npm', ['run', '--silent', 'build']],
  ['tests', bin('vitest'), ['run', '--reporter=default', '--reporter=./scripts/counts-reporter.mjs']],
  ['package shape', bin('publint'), ['--strict']],
  ['generated files', process.execPath, ['scripts/generate.mjs', '--check']],
]

const wanted = process.argv.slice(2)
let failed = 0
for (const [name, command, args] of steps) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const started = Date.now()
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, STRATA_COUNTS: counts, npm_config_loglevel: 'error' },
  })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (status !== 0) failed++
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
