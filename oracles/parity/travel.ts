/**
 * Files for other programs, read by those programs: results of STS17 exported in every form, and the cards of an
 * exported, a merged and a distilled model. Needs huggingface_hub, mteb, mlflow-skinny and tensorboard in one Python.
 * node bench/run.mjs travel --python PATH
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flag } from '../../bench/lib/flags.ts'
import { carried, model, modelName, peers, program, python, root, scratchFolder } from '../../bench/lib/places.ts'

const work = scratchFolder('travel')
rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
const at = (...parts: string[]): string => join(work, ...parts)
const env = { ...process.env, HF_HUB_CACHE: carried, HF_HUB_OFFLINE: '1', STRATA_CACHE: at('cache') }

function strata(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`strata ${args.join(' ')}: ${stderr}`)
  return stdout
}

const results = ['--results', at('results')]
const task = ['--tasks', 'STS17', '--subsets', 'en-en']
strata('evaluate', modelName, ...task, '--representation', 'default,h3', ...results)
// mteb lists another representation as an experiment; the check reads plain results
const whole = ['--models', modelName, '--representation', 'default']
const forms = ['eval-results', 'model-index', 'mteb-repo', 'mlflow', 'tensorboard']
for (const form of forms) strata('results', 'export', ...results, ...whole, '--as', form, '--out', at(form))
const listed = JSON.parse(strata('results', ...results, ...whole, '--json').split('\n')[0] ?? '') as {
  scores: Record<string, { hf_subset: string; main_score: number }[]>
}

strata('export', modelName, '--representation', 'h3', ...results, '--out', at('exported'))
for (const [name, licence] of [
  ['one', 'cc-by-nc-4.0'],
  ['two', 'apache-2.0'],
] as const) {
  cpSync(model, at(name), { recursive: true, dereference: true })
  writeFileSync(at(name, 'README.md'), `---\nlicense: ${licence}\nlanguage: en\n---\n`)
}
writeFileSync(
  at('recipe.yml'),
  `merge_method: linear\nmodels:\n${['one', 'two'].map((name) => `  - {model: ${at(name)}, parameters: {weight: 0.5}}\n`).join('')}`,
)
console.log(
  strata('merge', at('recipe.yml'), '--dry-run')
    .split('\n')
    .filter((line) => /licence/.test(line))
    .join('\n'),
)
strata('merge', at('recipe.yml'), at('merged'))
strata('distill', at('two'), '--out', at('distilled'))

const scores = Object.fromEntries(
  Object.entries({ STS17: listed.scores }).map(([task, splits]) => [
    task,
    Object.fromEntries(
      Object.entries(splits).flatMap(([split, parts]) =>
        parts.map(({ hf_subset: subset, main_score: score }) => [`${split}/${subset}`, score]),
      ),
    ),
  ]),
)
const cards = Object.fromEntries(['exported', 'merged', 'distilled'].map((name) => [name, at(name)]))
writeFileSync(
  at('plan.json'),
  JSON.stringify({ scores, model: modelName, forms: Object.fromEntries(forms.map((form) => [form, at(form)])), cards }),
)
const asked = flag('python', python)
const { status } = spawnSync(asked, [join(peers, 'python', 'travel_check.py'), at('plan.json')], { stdio: 'inherit' })
console.log(readFileSync(at('merged', 'README.md'), 'utf8').split('\n```yaml')[0])
process.exitCode = status ?? 1
