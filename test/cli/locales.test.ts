/** `strata locales`, by the program: a study in a folder that holds another one, its files, its failures. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { scratchFolder } from '../scratch.ts'
import { type Ran, strata } from './program.ts'
import { hubAt, seedsWorld } from './seeds-world.ts'

interface Found {
  readonly types: readonly string[]
  readonly rows: readonly { readonly locale: string; readonly accuracy: Readonly<Record<string, number>> }[]
  readonly pairs: readonly {
    readonly first: string
    readonly second: string
    readonly items?: { readonly items: number }
  }[]
}

const { path } = scratchFolder()
const env = hubAt(path(''))
const run = (...words: string[]): Promise<Ran> => strata(['locales', ...words], { env, cwd: path('') })
const study = (...words: string[]): Promise<Ran> => run('--models', './k', '--json', ...words)
const found = ({ stdout }: Ran): Found => JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Found
const recipe = (folder: string, name: string): string => readFileSync(path(`${folder}/recipes/${name}.yml`), 'utf8')

beforeAll(() => seedsWorld(path('')))

test('a study has the scores of its models, text by text, and of their sources', async () => {
  const { code, stdout } = await study('--results', 'one', '--mode', 'baseline,average')
  expect(code).toBe(0)
  const { rows, types, pairs } = found({ stdout } as Ran)
  expect(types).toEqual(['baseline', 'similarity', 'average', 'weighted source', 'mean source', 'best source'])
  expect(rows.map(({ locale }) => locale)).toEqual(['cy-GB', 'ja-JP', 'sq-AL'])
  const accuracy: Readonly<Record<string, number>> = rows[0]?.accuracy ?? {}
  // the baselines of the other two are not the scores of this locale
  const single = await strata(
    ['evaluate', './k/ja-JP', '--tasks', 'MASSIVEIntent', '--subsets', 'cy-GB', '--json', '--results', 'single'],
    { env, cwd: path('') },
  )
  const other = await strata(
    ['evaluate', './k/sq-AL', '--tasks', 'MASSIVEIntent', '--subsets', 'cy-GB', '--json', '--results', 'single'],
    { env, cwd: path('') },
  )
  const scores = [single, other].map(({ stdout: text }) => {
    const value = /"main_score":([\d.]+)/.exec(text)?.[1]
    return Number(value)
  })
  expect(accuracy['best source']).toBeCloseTo(Math.max(...scores), 5)
  expect(accuracy['mean source']).toBeCloseTo(scores.reduce((a, b) => a + b, 0) / 2, 5)
  expect(pairs.find(({ first, second }) => first === 'average' && second === 'baseline')?.items?.items).toBe(36)
})

test('another setting in the same folder answers as in a new one', async () => {
  const asked = ['--locales', 'sq-AL', '--mode', 'similarity', '--max-length', '8']
  await study('--results', 'both', ...asked, '--top-k', '1')
  const before = recipe('both', 'similarity_merge_sq-AL')
  const again = await study('--results', 'both', ...asked, '--top-k', '2')
  expect(recipe('both', 'similarity_merge_sq-AL')).not.toBe(before)
  const anew = await study('--results', 'new', ...asked, '--top-k', '2')
  expect(found(again)).toEqual(found(anew))
  expect([again.code, anew.code]).toEqual([0, 0])
})

test('sources are weighed by moments of texts of their own, computed anew where they would differ', async () => {
  const asked = ['--locales', 'sq-AL', '--mode', 'average,fisher,regmean']
  const first = await study('--results', 'weighed', ...asked, '--moment-texts', '4')
  expect(first.code).toBe(0)
  expect(found(first).types).toEqual(expect.arrayContaining(['fisher', 'regmean']))
  const again = await study('--results', 'weighed', ...asked, '--moment-texts', '20')
  const anew = await study('--results', 'weighed-anew', ...asked, '--moment-texts', '20')
  expect([again.code, found(again)]).toEqual([0, found(anew)])
  // what a merge is of decides its revision: neither file of moments may be the one of before
  const revisions = (folder: string, mode: string): string[] =>
    readdirSync(path(`${folder}/results/merge__${mode}_merge_sq-AL`)).toSorted()
  for (const mode of ['fisher', 'regmean']) {
    const [own = ''] = revisions('weighed-anew', mode)
    expect([mode, revisions('weighed', mode)]).toEqual([mode, expect.arrayContaining([own])])
    expect([mode, revisions('weighed', mode).length]).toEqual([mode, 2])
  }
  expect(revisions('weighed', 'average')).toHaveLength(1)
  expect(recipe('weighed', 'fisher_merge_sq-AL')).toContain('cy-GB.fisher.safetensors')
  expect(recipe('weighed', 'regmean_merge_sq-AL')).toContain('ja-JP.gram.safetensors')
})

test('weights of a file are those of the merge, in every locale that they name', async () => {
  writeFileSync(path('weights.csv'), 'target,source,weight\nsq-AL,ja-JP,0.75\nsq-AL,cy-GB,0.25\n')
  const asked = ['--mode', 'manual', '--weights', 'weights.csv', '--results', 'manual', '--dry-run']
  expect((await study(...asked, '--locales', 'sq-AL')).code).toBe(0)
  const ran = await study(...asked.slice(0, -1), '--locales', 'sq-AL')
  expect([ran.code, found(ran).types]).toEqual([0, expect.arrayContaining(['manual', 'weighted source'])])
  expect(recipe('manual', 'manual_merge_sq-AL')).toMatch(/ja-JP.*0\.75.*\n.*cy-GB.*0\.25/)
  const { code, stderr } = await study(...asked)
  expect([code, stderr]).toEqual([2, expect.stringContaining('cy-GB: no weights are given for this target')])
})

test('accuracies choose the sources: those of the validation split, or in hindsight', async () => {
  for (const [model, accuracy] of Object.entries({ 'cy-GB': 0.25, 'ja-JP': 0.75 }))
    for (const split of ['test', 'validation']) {
      const scored = ['--tasks', 'MASSIVEIntent', '--splits', split, '--subsets', 'sq-AL', '--results', split]
      await strata(['evaluate', `./k/${model}`, ...scored], { env, cwd: path('') })
      const [revision = ''] = readdirSync(path(`${split}/${model}`))
      const result = path(`${split}/${model}/${revision}/MASSIVEIntent.json`)
      // no model of this world knows an answer
      writeFileSync(result, readFileSync(result, 'utf8').replace('"main_score": 0', `"main_score": ${accuracy}`))
    }
  const asked = [
    '--models',
    './k',
    '--mode',
    'real',
    '--locales',
    'sq-AL',
    '--temperature',
    'none',
    '--results',
    'real',
  ]
  const fair = await run(...asked, '--accuracies', 'validation')
  expect([fair.code, fair.stderr.includes('in hindsight')]).toEqual([0, false])
  expect(recipe('real', 'real_merge_sq-AL')).toMatch(/ja-JP.*0\.75.*\n.*cy-GB.*0\.25/)
  const late = await run(...asked, '--accuracies', 'test', '--dry-run')
  expect([late.code, late.stderr]).toEqual([0, expect.stringContaining('in hindsight')])
})

test('the files of a study are those of its scores', async () => {
  const { code } = await run('aggregate', 'one', '--output-prefix', 'files/september')
  expect(code).toBe(0)
  const names = readdirSync(path('files')).map((name) => name.replace(/_\d{8}_\d{6}/, ''))
  expect(names.toSorted()).toEqual([
    'september_aggregated.csv',
    'september_comparison.csv',
    'september_report.md',
    'september_summary.json',
  ])
  const [comparison = ''] = readdirSync(path('files')).filter((name) => name.includes('comparison'))
  const [head, first] = readFileSync(path(`files/${comparison}`), 'utf8').split('\n')
  expect(head).toMatch(/^locale,baseline,similarity,average,weighted source,/)
  const own = found(await study('--results', 'one', '--mode', 'baseline,average')).rows[0]
  expect(first?.split(',').slice(0, 4)).toEqual([
    'cy-GB',
    `${own?.accuracy['baseline']}`,
    '',
    `${own?.accuracy['average']}`,
  ])
})

test('--out writes a page, after a study and from its scores the same', async () => {
  const { code } = await study('--results', 'one', '--mode', 'baseline,average', '--out', 'pages/study.html')
  expect(code).toBe(0)
  const { code: second } = await run('aggregate', 'one', '--out', 'pages/again.html', '--output-prefix', 'more/x')
  const [html, again] = ['study', 'again'].map((name) => readFileSync(path(`pages/${name}.html`), 'utf8'))
  expect([second, again === html]).toEqual([0, true])
  expect([...(html ?? '').matchAll(/<figcaption><h3>(.*?)<\/h3>/g)].map(([, title]) => title)).toEqual([
    'Gain of average over baseline',
    'Accuracy by family of languages',
    'Weights of the sources',
    'Accuracy of each model on each locale',
  ])
  // three models, each on three locales: its own one by the baseline, the others as a source
  const cells = /id="accuracies"[\s\S]*?<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(html ?? '')?.[1] ?? ''
  expect([...cells.matchAll(/<td[^>]*>([\d.]+)</g)]).toHaveLength(9)
})

test('a missing model fails by itself, is named by --dry-run, and is tried again', async () => {
  renameSync(path('k/ja-JP'), path('ja-JP'))
  const asked = ['--models', './k/{locale}', '--locales', 'ja-JP,sq-AL', '--mode', 'baseline', '--results', 'gone']
  const plan = await run(...asked, '--dry-run')
  expect([plan.code, existsSync(path('gone'))]).toEqual([1, false])
  expect(plan.stdout).toContain('missing  ./k/ja-JP: no such folder')
  const { code, stdout } = await run(...asked)
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^1 of 2 jobs done, 1 failed/)])
  expect(stdout).toMatch(/^failed {3}\.\/k\/ja-JP.*no such folder/m)
  renameSync(path('ja-JP'), path('k/ja-JP'))
  const again = await run(...asked, '--resume')
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^2 of 2 jobs done/)])
})

test.each([
  [['--models', './k', '--locales', 'sq-AX'], 'did you mean sq-AL?'],
  [['--models', './k', '--mode', 'averge'], 'did you mean average?'],
  [['--models', './k', '--mode', 'breadcrums'], 'did you mean breadcrumbs?'],
  [['--models', './k', '--mode', 'ties'], 'name it with --base-model'],
  [['--models', './k', '--mode', 'model_stock', '--base-model', './k/sq-AL', '--top-k', '1'], 'give a larger --top-k'],
  [['--models', './k', '--similarity', 'uriell'], 'did you mean uriel?'],
  [['--models', './k', '--mode', 'manual'], 'give --weights FILE'],
  [['--models', './k', '--weights', 'weights.csv'], 'add --mode manual'],
  [['--models', './k', '--similarity', 'real'], 'give --accuracies'],
  [['--models', './k', '--accuracies', 'single'], 'add --mode real'],
  [['--models', './k', '--lambda', '1'], 'add --choose qp'],
  [['--models', './k', '--similarity', 'sinkhorn', '--choose', 'qp'], 'choose from --similarity uriel'],
  [['--models', './k', '--temperature', '1', '--choose', 'greedy'], '--lambda is the price'],
  [['--models', './k', '--start-from', 'af-ZA'], 'known: cy-GB, ja-JP, sq-AL'],
  [['--models', './k', '--moment-texts', '9'], 'add one of them to --mode'],
  [['--models', './k', '--overwrite'], 'add --write-models'],
  [['--models', './k', '--show-missing'], 'give it to strata locales aggregate'],
  [['--models', './k', '--out', 'page.pdf'], 'a name that ends in .html'],
  [['--locales', 'sq-AL'], 'give --models ./models/{locale}'],
  [['agregate'], 'did you mean aggregate?'],
  [['aggregate', 'one', 'both'], 'too many arguments'],
] as const)('%j is refused: %s', async (words, hint) => {
  const { code, stderr } = await run(...words)
  expect([code, stderr]).toEqual([2, expect.stringContaining(hint)])
})

test('a study in the layout of merginguriel is compared as itself, and imported', async () => {
  const asked = ['--locales', 'sq-AL,cy-GB', '--mode', 'baseline,average,majority', '--layout', 'merginguriel']
  const { code, stdout } = await study('--results', 'laid', ...asked)
  expect(code).toBe(0)
  const own = found({ stdout } as Ran)
  const laid = ['baseline', 'average', 'majority']
  const read = found(await run('aggregate', 'laid/results', '--json', '--output-prefix', path('compared/laid')))
  expect(read.types).toEqual(['baseline', 'similarity', 'average', 'majority'])
  expect(read.rows).toEqual(
    own.rows.map(({ locale, accuracy }) => ({
      locale,
      accuracy: Object.fromEntries(Object.entries(accuracy).filter(([type]) => laid.includes(type))),
    })),
  )
  expect(readdirSync(path('laid')).filter((name) => name.endsWith('.csv') || name.startsWith('experiment_'))).toEqual([
    'experiment_final_results.json',
    'experiment_progress.json',
    'language_similarity_matrix.csv',
    'model_mapping.csv',
    'sparsed_language_similarity_matrix.csv',
  ])
  const document = JSON.parse(readFileSync(path('laid/results/average_sq-AL/results.json'), 'utf8')) as {
    performance: { correct_predictions: number }
    examples: { text: string; true_intent: number; predicted_label: string; correct: boolean }[]
  }
  expect(document).toMatchObject({
    evaluation_info: { model_name: 'merge__average_merge_sq-AL', locale: 'sq-AL' },
    model_info: { num_labels: 60, architecture: 'BertForSequenceClassification' },
    performance: { total_predictions: 12 },
  })
  // the numbers of alarm_set, play_music and weather_query in MASSIVE
  expect(document.examples.map(({ true_intent: number }) => number)).toEqual([48, 45, 13, 48, 45, 13, 48, 45, 13, 48])
  for (const { true_intent: number, predicted_label: label, correct } of document.examples)
    expect(correct).toBe(label === `${number}`)
  const progress = JSON.parse(readFileSync(path('laid/experiment_progress.json'), 'utf8')) as { results: object }
  expect(progress.results).toEqual({
    'cy-GB': { baseline: true, similarity: 'skipped', average: true, majority: true },
    'sq-AL': { baseline: true, similarity: 'skipped', average: true, majority: true },
  })
  const imported = await strata(['results', 'import', 'laid/results/average_sq-AL', '--results', 'ledger'], {
    env,
    cwd: path(''),
  })
  expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining('1 imported')])
  const { stdout: listed } = await strata(['results', '--json', '--results', 'ledger'], { env, cwd: path('') })
  expect(JSON.parse(listed)).toMatchObject({
    task_name: 'MASSIVEIntent',
    model: 'merge__average_merge_sq-AL',
    scores: { test: [{ hf_subset: 'sq-AL', main_score: document.performance.correct_predictions / 12 }] },
  })
  // the similarities of one study are those of another
  const again = await study('--results', 'laid-2', ...asked, '--similarity', 'laid/language_similarity_matrix.csv')
  expect(found(again).rows).toEqual(own.rows)
})

interface Progress {
  readonly results: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Files of the layout by name, without their times. */
function layoutIn(folder: string): Record<string, string> {
  const names = readdirSync(path(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^experiment_.*\.json|\.csv|_[a-z]{2}-[A-Z]{2}\/results\.json)$/.test(name))
    .toSorted()
  return Object.fromEntries(
    names.map((name) => [
      name,
      readFileSync(path(`${folder}/${name}`), 'utf8').replaceAll(/("timestamp": )"[^"]+"/g, '$1"then"'),
    ]),
  )
}

test.each([{ workers: [] }, { workers: ['--workers', '2'] }])(
  'a study that is killed leaves its finished locales in the layout, and one that continues the rest: $workers',
  async ({ workers }) => {
    const name = workers.length === 0 ? 'cut' : 'cut-apart'
    const modes = ['--mode', 'baseline,similarity,average,majority,soft_vote', '--layout', 'merginguriel']
    const asked = ['locales', '--models', './k', '--results', name, ...modes]
    const progress = path(`${name}/experiment_progress.json`)
    const cut = { env, cwd: path(''), killWhen: () => existsSync(progress) }
    expect((await strata([...asked, ...workers], cut)).signal).toBe('SIGKILL')
    const { results } = JSON.parse(readFileSync(progress, 'utf8')) as Progress
    // of three
    expect([1, 2]).toContain(Object.keys(results).length)
    const left = layoutIn(name)
    for (const [locale, states] of Object.entries(results))
      for (const type of ['baseline', 'similarity', 'average', 'majority', 'soft_vote'])
        expect([states[type], Object.keys(left)]).toEqual([
          true,
          expect.arrayContaining([`results/${type}_${locale}/results.json`]),
        ])
    expect((await strata(asked, { env, cwd: path('') })).code).toBe(0)
    expect((await study('--results', 'uncut', ...modes)).code).toBe(0)
    expect(layoutIn(name)).toEqual(layoutIn('uncut'))
    expect(Object.keys(layoutIn(name))).toHaveLength(3 * 5 + 5)
    const scores = Object.entries(left).filter(([file]) => file.startsWith('results/'))
    expect(layoutIn('uncut')).toMatchObject(Object.fromEntries(scores))
  },
)

test('merges are kept as checkpoints, reused, and not mixed with others', async () => {
  const asked = [
    '--models',
    './k',
    '--locales',
    'sq-AL',
    '--mode',
    'average,majority',
    '--results',
    'kept',
    '--write-models',
  ]
  const first = await run(...asked, '--layout', 'merginguriel')
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('not written  majority for sq-AL')])
  const target = 'kept/merged_models/average_merge_sq-AL'
  expect(readdirSync(path('kept/merged_models'))).toEqual(['average_merge_sq-AL'])
  const text = readFileSync(path(`${target}/merge_details.txt`), 'utf8')
  expect(text.replace(/\(UTC\): .*/, '(UTC): then')).toBe(
    [
      'Merge Mode: average',
      'Timestamp (UTC): then',
      '',
      'Base Model (for architecture): ./k/cy-GB',
      'Target Language: sqi',
      '',
      '--- Merged Models and Weights ---',
      '1. Model: ./k/cy-GB',
      '   - Subfolder: None',
      '   - Language: cym',
      '   - Locale: cy-GB',
      '   - Weight: 0.500000 (50.00% of total)',
      '2. Model: ./k/ja-JP',
      '   - Subfolder: None',
      '   - Language: jpn',
      '   - Locale: ja-JP',
      '   - Weight: 0.500000 (50.00% of total)',
      '',
      'Total Weight: 1.000000',
      '',
    ].join('\n'),
  )
  const details = JSON.parse(readFileSync(path(`${target}/merge_details.json`), 'utf8')) as {
    inputs: { files: { sha256: string }[] }[]
    files: { name: string; sha256: string }[]
  }
  const hash = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(path(name)))
      .digest('hex')
  expect(details.inputs.map(({ files }) => files[0]?.sha256)).toEqual(
    ['cy-GB', 'ja-JP'].map((locale) => hash(`k/${locale}/model.safetensors`)),
  )
  expect(details.files[0]).toMatchObject({ name: 'model.safetensors', sha256: hash(`${target}/model.safetensors`) })
  const document = readFileSync(path('kept/results/average_sq-AL/results.json'), 'utf8')
  expect(document).toContain('"model_name": "merged_models/average_merge_sq-AL"')
  // the same again; then fewer sources, which is another merge
  const again = await run(...asked)
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining(`already in ${target}`)])
  expect(readFileSync(path(`${target}/merge_details.txt`), 'utf8')).toBe(text)
  const other = await run(...asked, '--top-k', '1')
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('the folder is not empty')])
  expect(readFileSync(path(`${target}/merge_details.txt`), 'utf8')).toBe(text)
  const replaced = await run(...asked, '--top-k', '1', '--overwrite')
  expect(replaced.code).toBe(0)
  expect(readFileSync(path(`${target}/merge_details.txt`), 'utf8')).not.toContain('ja-JP')
})

test('sources folded in one after the other are a checkpoint with its details, which its recipe makes again', async () => {
  const asked = ['--locales', 'sq-AL', '--mode', 'slerp,model_stock', '--base-model', './k/ja-JP', '--include-target']
  const ran = await study('--results', 'folded', ...asked, '--write-models')
  expect(ran.code).toBe(0)
  const target = 'folded/merged_models/slerp_merge_sq-AL'
  const text = readFileSync(path(`${target}/merge_details.txt`), 'utf8')
  expect([...text.matchAll(/(?:architecture\)|Model): (.*)/g)].map(([, model]) => model)).toEqual(
    ['sq-AL', 'sq-AL', 'cy-GB', 'ja-JP'].map((locale) => `./k/${locale}`),
  )
  interface Input {
    readonly model: string
    readonly identity?: string
    readonly files: readonly { readonly sha256: string }[]
    readonly inputs?: readonly Input[]
  }
  const { inputs } = JSON.parse(readFileSync(path(`${target}/merge_details.json`), 'utf8')) as { inputs: Input[] }
  const shown = (list: readonly Input[]): unknown[] =>
    list.map(({ model, identity, files, inputs: inner }) =>
      inner === undefined ? [model, identity, files[0]?.sha256] : [model, identity?.length, files.length, shown(inner)],
    )
  const read = (locale: string): unknown[] => {
    const bytes = readFileSync(path(`k/${locale}/model.safetensors`))
    return [`./k/${locale}`, undefined, createHash('sha256').update(bytes).digest('hex')]
  }
  expect(shown(inputs)).toEqual([read('ja-JP'), ['first_2', 64, 0, [read('cy-GB'), read('sq-AL')]]])
  // the copy of the recipe makes the same model again
  const again = await strata(['merge', `${target}/mergekit_config.yml`, 'again'], { env, cwd: path('') })
  expect([again.code, again.stderr]).toEqual([0, expect.anything()])
  const weights = (folder: string): string => readFileSync(path(`${folder}/model.safetensors`), 'base64')
  expect(weights('again')).toBe(weights(target))
  const reused = await run('--models', './k', '--results', 'folded', ...asked, '--write-models')
  expect([reused.code, reused.stderr]).toEqual([0, expect.stringContaining(`already in ${target}`)])
})
