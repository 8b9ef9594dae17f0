// Compares every layer's scores with the recorded ones of the shared data: STS, classification, retrieval on MiniLM-L6, potion and GloVe.
// HF_HOME must name a cache laid out by the shared folder's make-hf-cache. Needs $STRATA_SHARED (default ../shared) and the built program.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const shared = resolve(process.env.STRATA_SHARED ?? '../shared')
const recorded = JSON.parse(readFileSync(join(shared, 'specs/minilm_layer_scores.json'), 'utf8')).scores
const tasks = 'STSBenchmark,STS12,STS13,STS15,SICK-R,Banking77Classification,EmotionClassification,SciFact'
const bounds = { score: 1e-4, mean: 1e-3, experiment: 2e-3 }

let failed = 0
/** @type {[string, string[], (representation: string) => string][]} */
const models = [
  [
    'all-MiniLM-L6-v2',
    ['layers', 'sentence-transformers/all-MiniLM-L6-v2'],
    (name) => (name === 'default' ? 'st' : name.slice(1)),
  ],
  ['potion-base-4M-int8', ['evaluate', join(shared, 'models/potion-base-4M-int8')], () => 'static'],
  ['glove-6B-100d-30k', ['evaluate', join(shared, 'models/glove-6B-100d-30k')], () => 'static'],
]
for (const [name, command, keyOf] of models) {
  const { stdout, status } = spawnSync(
    process.execPath,
    ['dist/cli/main.js', ...command, '--tasks', tasks, '--json', ...process.argv.slice(2)],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, HF_HUB_OFFLINE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  if (status !== 0) failed++
  const worst = { score: 0, mean: 0, experiment: 0 }
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const { task_name: task, scores, strata } of lines) {
    const wanted = recorded[name][keyOf(strata.representation)][task]
    const seen = scores?.test?.[0] ?? {}
    const kind = task.endsWith('Classification') ? 'mean' : 'score'
    for (const [metric, value] of Object.entries(wanted)) {
      if (typeof value === 'number') worst[kind] = Math.max(worst[kind], Math.abs(value - (seen[metric] ?? Infinity)))
    }
    for (const [index, { accuracy }] of (wanted.scores_per_experiment ?? []).entries()) {
      worst.experiment = Math.max(
        worst.experiment,
        Math.abs(accuracy - (seen.scores_per_experiment?.[index]?.accuracy ?? Infinity)),
      )
    }
  }
  const ok = Object.entries(worst).every(([kind, value]) => value <= bounds[kind])
  if (!ok) failed++
  const text = Object.entries(worst).map(([kind, value]) => `${kind} ${value.toExponential(1)} of ${bounds[kind]}`)
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}: ${lines.length} results, largest differences: ${text.join(', ')}`)
}
process.exit(failed === 0 ? 0 : 1)
