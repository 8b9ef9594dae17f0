/** strata harness by the program: task files, examples, filters, groups, files, answers kept, refusals. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sampled } from '../nightly.ts'
import { scratchFolder } from '../scratch.ts'
import { shared, sharedPath } from '../shared.ts'
import { filesBelow } from '../until.ts'
import { strata } from './program.ts'

const { path } = scratchFolder()
const model = join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K')
const [tasks, data] = [path('tasks'), path('data')]

const rows = Array.from({ length: 12 }, (_, i) => ({
  question: `Lily saw ${['a cat', 'a dog', 'a ball'][i % 3]} number ${i}. It was`,
  options: ['big', 'red', 'not there'],
  label: i % 3,
}))
const files: Readonly<Record<string, string>> = {
  _shared: `dataset_path: ${data}\ntest_split: test\nfewshot_split: train\ndoc_to_text: question\nmetadata: {version: 2.0}\n`,
  'choose.yaml':
    'include: _shared\ntask: toy_choose\ntag: toy_tag\noutput_type: multiple_choice\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\n',
  'write.yaml':
    'include: _shared\ntask: toy_write\ndoc_to_target: "{{ options[label] }}"\ngeneration_kwargs: {until: ["."], max_gen_toks: 8}\nfilter_list:\n- name: word\n  filter: [{function: regex, regex_pattern: "(\\\\w+)", group_select: -1}, {function: take_first}]\n',
  'group.yaml':
    'group: toy\ntask:\n- toy_choose\n- toy_write\naggregate_metric_list:\n- {metric: acc, weight_by_size: false}\nmetadata: {version: 1}\n',
  'python.yaml': 'include: _shared\ntask: toy_python\nprocess_docs: !function mine.rows\ndoc_to_target: "{{label}}"\n',
  'loop.yaml':
    'include: _shared\ntask: toy_loop\ndoc_to_text: "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}"\ndoc_to_target: "{{label}}"\n',
  'lost.yaml': 'include: _shared\ntask: toy_lost\ndoc_to_text: "{{ nobody }}"\ndoc_to_target: "{{label}}"\n',
  'odd.yaml': 'include: _shared\ntask: toy_odd\ndoc_to_txt: x\n',
  'turn.yaml': 'include: turn.yaml\ntask: toy_turn\n',
}

beforeAll(() => {
  for (const folder of [tasks, data]) mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(tasks, name), text)
  writeFileSync(join(tasks, 'mine.py'), 'def rows(dataset):\n    return dataset\n')
  for (const split of ['train', 'test'])
    writeFileSync(
      join(data, `${split}.jsonl`),
      rows.map((row) => `${JSON.stringify({ ...row, question: `${split}: ${row.question}` })}\n`).join(''),
    )
})

interface Document {
  readonly results: Record<string, Record<string, number | string>>
  readonly groups?: Record<string, Record<string, number>>
  readonly 'n-shot': Record<string, number>
  readonly strata: { readonly tasks: Record<string, { requests: number; answered_before: number }> }
}

const harness = async (...flags: readonly string[]) =>
  strata(['harness', model, '--include_path', tasks, '--cache-dir', path('cache'), ...flags], {
    env: { STRATA_LM_EVAL: path('none') },
  })
const harnessKilled = async (killWhen: () => boolean, ...flags: readonly string[]) =>
  strata(['harness', model, '--include_path', tasks, '--cache-dir', path('cache'), ...flags], {
    env: { STRATA_LM_EVAL: path('none') },
    killWhen,
  })
const document = async (...flags: readonly string[]): Promise<Document> => {
  const { stdout, stderr } = await harness(...flags, '--json')
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Document
}

test('a group of two tasks: numbers, table, files that the harness’s readers know', async () => {
  const { code, stdout, stderr } = await harness(
    '--tasks',
    'toy',
    '--num_fewshot',
    '2',
    '--output_path',
    path('out'),
    '--log_samples',
  )
  expect([code, stderr.includes('Error')]).toEqual([0, false])
  expect(stdout).toMatch(/\|toy +\| +1\|none *\| +\|acc +\| +\|0\.\d{4}\|±\|0\.\d{4}\|/)
  expect(stdout).toMatch(/\| - toy_write +\| +2\.0\|word +\|2 +\|exact_match\|↑/)
  const [folder = ''] = readdirSync(path('out'))
  const names = readdirSync(join(path('out'), folder))
  expect(names.map((name) => name.replace(/_20.*(?=\.json)/, ''))).toEqual([
    'answers.jsonl',
    'results.json',
    'samples_toy_choose.jsonl',
    'samples_toy_write.jsonl',
  ])
  const [row] = readFileSync(
    join(path('out'), folder, names.find((name) => name.startsWith('samples_toy_choose')) ?? ''),
    'utf8',
  ).split('\n')
  const sample = JSON.parse(row ?? '') as {
    arguments: Record<string, { arg_0: string; arg_1: string }>
    resps: string[][][]
    target: string
  }
  expect(sample.arguments['gen_args_0']?.arg_0.match(/train: /g)?.length).toBe(2)
  expect([sample.arguments['gen_args_1']?.arg_1, sample.target, sample.resps[0]?.[0]?.length]).toEqual([' red', '0', 2])
})

test('each task is a result beside those of other commands: settings in its name, and runs compared document by document', async () => {
  const [out, flags] = [path('ledger'), ['--tasks', 'toy', '--output_path', path('ledger')]]
  const plain = await document(...flags)
  await document(...flags, '--num_fewshot', '2')
  await document(...flags, '--limit', '5', '--system_instruction', 'Be brief.')
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('toy_choose.json'),
  )
  expect(files.map((name) => name.split('/').at(-2)).sort((a = '', b = '') => a.localeCompare(b))).toEqual([
    'logits',
    'logits+2shot',
    expect.stringMatching(/^logits\+limit5\+[0-9a-f]{6}$/),
  ])
  const results = files.map(
    (name) =>
      JSON.parse(readFileSync(join(out, name), 'utf8')) as {
        scores: { test: Record<string, unknown>[] }
        strata: { fingerprint: string }
      },
  )
  expect(new Set(results.map(({ strata: { fingerprint } }) => fingerprint)).size).toBe(3)
  const own = results[files.findIndex((name) => name.includes('/logits/'))]?.scores.test[0]
  expect([own?.['main_metric'], own?.['documents']]).toEqual(['acc_norm,none', 12])
  // the ledger keeps six digits
  expect(own?.['main_score']).toBeCloseTo(Number(plain.results['toy_choose']?.['acc_norm,none']), 6)
  const { stdout, stderr } = await strata(['report', out, '--baseline', 'logits'])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/logits\+2shot \| toy\\_choose \| [+−]\d+\.\d\d \| [+−]\d+\.\d\d \| [+−]\d+\.\d\d \|/)
})

test('what was answered is not asked again; other settings are', async () => {
  const cache = path('answers.jsonl')
  const of = async (...flags: readonly string[]) =>
    document('--tasks', 'toy_choose,toy_write', '--use_cache', cache, ...flags)
  const [first, again, shots] = [await of(), await of(), await of('--num_fewshot', '1')]
  const asked = ({ strata: { tasks: all } }: Document) =>
    Object.values(all).map(({ requests, answered_before: before }) => [requests, before])
  expect([asked(first), asked(again), asked(shots)]).toEqual([
    [
      [36, 0],
      [12, 0],
    ],
    [
      [36, 36],
      [12, 12],
    ],
    [
      [36, 0],
      [12, 0],
    ],
  ])
  expect(again.results).toEqual(first.results)
  expect(shots['n-shot']).toEqual({ toy_choose: 1, toy_write: 1 })
})

describe('killed and started again', () => {
  const many = path('many')
  const flags = [
    '--tasks',
    'toy_many,toy_many_texts',
    '--num_fewshot',
    '1',
    '--log_samples',
    '--limit',
    '0.9',
    '--batch-tokens',
    '512',
  ]
  beforeAll(() => {
    mkdirSync(many)
    for (const split of ['train', 'test'])
      writeFileSync(
        join(many, `${split}.jsonl`),
        Array.from({ length: 120 }, (_, i) =>
          JSON.stringify({
            ...rows[i % 12],
            question: `${i} times Lily went to the ${'very '.repeat((i * 7) % 23)}${split}. It was`,
          }),
        ).join('\n'),
      )
    const common = `dataset_path: ${many}\ntest_split: test\nfewshot_split: train\ndoc_to_text: question\n`
    writeFileSync(
      join(tasks, 'many.yaml'),
      `${common}task: toy_many\noutput_type: multiple_choice\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\nmetric_list: [{metric: acc}, {metric: brier_score}]\n`,
    )
    writeFileSync(
      join(tasks, 'many-texts.yaml'),
      `${common}task: toy_many_texts\ndoc_to_target: "{{ options[label] }}"\nrepeats: 2\ngeneration_kwargs: {until: ["."], max_gen_toks: 4, do_sample: true, temperature: 1.5}\n`,
    )
  })
  const answerBytes = (folder: string): number => {
    const own = existsSync(path(folder))
      ? readdirSync(path(folder), { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('answers.jsonl'))
      : undefined
    return own === undefined ? 0 : statSync(join(path(folder), own)).size
  }
  const files = (folder: string): { answers: string[]; last: Record<string, unknown> } => {
    const own = join(path(folder), readdirSync(path(folder))[0] ?? '')
    const read = (kind: string): string =>
      readFileSync(join(own, readdirSync(own).findLast((name) => name.startsWith(kind)) ?? ''), 'utf8')
    const { results, task_hashes: hashes, 'n-samples': counts } = JSON.parse(read('results')) as Record<string, unknown>
    const answers = readFileSync(join(own, 'answers.jsonl'), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('{"key"') ? [line] : []))
    return {
      answers,
      last: { results, hashes, counts, choices: read('samples_toy_many_20'), texts: read('samples_toy_many_texts') },
    }
  }

  test(
    'at any of twenty moments: equal files to the last bit, and no answer is kept twice',
    { timeout: 300_000 },
    async () => {
      expect((await harness(...flags, '--output_path', path('unkilled'))).code).toBe(0)
      const whole = files('unkilled')
      const keyOf = (line: string): string => (JSON.parse(line) as { key: string }).key
      expect(new Set(whole.answers.map(keyOf)).size).toBe(108 * 5)
      const bytes = answerBytes('unkilled')
      const before: number[] = []
      for (const i of sampled(Array.from({ length: 20 }, (_, moment) => moment))) {
        const folder = `killed-${i}`
        // the first before anything is kept, the others by what is: a busy machine has the same moments
        const now = (): boolean =>
          i < 3 ? filesBelow(path(folder)) >= i : answerBytes(folder) > (bytes * (i - 3)) / 17
        await harnessKilled(now, ...flags, '--output_path', path(folder))
        const again = JSON.parse((await harness(...flags, '--output_path', path(folder), '--json')).stdout) as Document
        before.push(Object.values(again.strata.tasks).reduce((sum, { answered_before: own }) => sum + own, 0))
        const { answers, last } = files(folder)
        expect(last).toEqual(whole.last)
        expect(new Set(answers.map(keyOf)).size).toBe(answers.length)
        expect(answers.toSorted(byText)).toEqual(whole.answers.toSorted(byText))
      }
      expect(before.filter((count) => count > 0 && count < 108 * 5).length).toBeGreaterThan(3)
    },
  )
})
const byText = (a: string, b: string): number => (a < b ? -1 : 1)

test('a prompt that begins with the beginning of text gets no second one, and is counted', async () => {
  const task = (name: string, begin: string) =>
    writeFileSync(
      join(tasks, `${name}.yaml`),
      `include: choose.yaml\ntask: ${name}\ntag: toy_beginnings\ndoc_to_text: "${begin}{{question}}"\n`,
    )
  task('toy_begun', '<s>')
  task('toy_plain', '')
  const { stderr } = await harness('--tasks', 'toy_begun')
  expect(stderr).toMatch(/toy_begun: 12 of 12 prompts already begin with the model's beginning-of-text token/)
  const { results, strata: notices } = await document('--tasks', 'toy_begun,toy_plain')
  expect([results['toy_begun']?.['acc,none'], notices.tasks]).toEqual([
    results['toy_plain']?.['acc,none'],
    {
      toy_begun: expect.objectContaining({ begun_by_themselves: 12 }),
      toy_plain: expect.objectContaining({ begun_by_themselves: 0 }),
    },
  ])
})

test('a limit, and documents by their places', async () => {
  const limited = await document('--tasks', 'toy_tag', '--limit', '0.3')
  const chosen = await document('--tasks', 'toy_tag', '--samples', '{"toy_choose": [0, 5, 7]}')
  expect([limited.results['toy_choose']?.['sample_len'], chosen.results['toy_choose']?.['sample_len']]).toEqual([4, 3])
})

test.each([
  [['--tasks', 'toy_chose'], 'toy_choose'],
  [['--tasks', 'toy_python'], 'mine.py#rows'],
  [['--tasks', 'toy_choose,toy_python'], 'nothing was run'],
  [['--tasks', 'toy_loop'], 'too many steps'],
  [['--tasks', 'toy_lost'], "'nobody' is undefined"],
  [['--tasks', 'toy_odd'], 'doc_to_text'],
  [['--tasks', 'toy,toy_choose'], 'two of the names reach'],
  [['--tasks', 'toy_turn'], 'toy_turn'],
  [['--tasks', 'toy_choose', '--num_fewshot', '13'], 'too few examples'],
  [['--tasks', 'toy_choose', '--apply_chat_template'], 'no chat template'],
  [['--tasks', 'toy_choose', '--limit', '2', '--samples', '{}'], 'cannot be combined with --limit'],
  [['--tasks', 'toy_write', '--gen_kwargs', 'max_gen_toks=600'], 'leaves no room'],
  [['--tasks', 'toy_write', '--gen_kwargs', 'temprature=1'], 'temperature'],
  [[], '--tasks'],
])('refuses %j', async (flags, word) => {
  const { code, stdout, stderr } = await harness(...flags)
  expect([code === 0, stdout]).toEqual([false, ''])
  expect(stderr).toContain(word)
})

describe('strata tasks --harness', () => {
  const listed = async (...names: readonly string[]) =>
    strata(['tasks', '--harness', ...names, '--include_path', tasks, '--cache-dir', path('cache')], {
      env: { STRATA_LM_EVAL: path('none') },
    })

  test('names, kinds, tags; one by one what is asked, and what does not run', async () => {
    const all = await listed()
    expect(all.stdout).toMatch(/toy_choose +task\n/)
    expect(all.stdout).toMatch(/toy_tag +tag +1 task\n/)
    expect(all.stderr).toContain('turn.yaml')
    expect((await listed('toy_[cw]*', '--count')).stdout).toBe('2\n')
    const one = await listed('toy_write', '--json')
    expect(JSON.parse(one.stdout)).toMatchObject({
      name: 'toy_write',
      tasks: [{ output_type: 'generate_until', split: 'test', runs: 'yes' }],
    })
    expect((await listed('toy')).stdout).toMatch(/^toy: toy_choose, toy_write\n/)
    expect((await listed('toy_python')).stdout).toMatch(/does_not_run +Python function mine\.py#rows/)
  })

  test('a name that nothing has, and a release that is not known, are refused', async () => {
    expect((await listed('toy_chose')).stderr).toContain('did you mean toy_choose?')
    expect((await listed('fetch', '0.4.2')).stderr).toContain('wanted 0.4.13')
  })
})

describe.skipIf(shared === undefined)('recorded scores', () => {
  test('a task of lm-evaluation-harness over all of its rows', async () => {
    const recorded = JSON.parse(readFileSync(sharedPath('specs', 'stories260K_harness.json'), 'utf8')) as {
      scores: Record<string, Record<string, number>>
    }
    const folder = path('blimp')
    mkdirSync(folder)
    copyFileSync(sharedPath('data', 'blimp', 'principle_A_case_1.jsonl.gz'), join(folder, 'test.jsonl.gz'))
    writeFileSync(
      join(folder, 'blimp.yaml'),
      `task: blimp_principle\ndataset_path: ${folder}\ntest_split: test\noutput_type: multiple_choice\ndoc_to_text: ""\ndoc_to_target: 0\ndoc_to_choice: "{{[sentence_good, sentence_bad]}}"\nmetric_list: [{metric: acc}]\n`,
    )
    const { results } = await document('--tasks', join(folder, 'blimp.yaml'))
    expect(results['blimp_principle']?.['acc,none']).toBe(recorded.scores['blimp_principle_A_case_1']?.['acc,none'])
  })
})

describe('samples, scored again', () => {
  const samples = async (task: string, ...flags: readonly string[]) =>
    strata(['harness', path('logged'), '--model', 'samples', '--include_path', tasks, '--tasks', task, ...flags], {
      env: { STRATA_LM_EVAL: path('none') },
    })

  beforeAll(async () => {
    await document('--tasks', 'toy', '--num_fewshot', '1', '--output_path', path('logged'), '--log_samples')
    // the same questions, of which the first word counts, not the last
    writeFileSync(
      join(tasks, 'first.yaml'),
      'include: write.yaml\ntask: toy_first\nfilter_list:\n- name: word\n  filter: [{function: regex, regex_pattern: "(\\\\w+)"}, {function: take_first}]\n',
    )
  })

  test('give the scores that the model gave, without it, and other ones through other filters', async () => {
    const whole = await document('--tasks', 'toy', '--num_fewshot', '1')
    const again = await samples('toy', '--num_fewshot', '1', '--json')
    expect((JSON.parse(again.stdout) as Document).results).toEqual(whole.results)
    const asked = await document(
      '--tasks',
      'toy_first',
      '--num_fewshot',
      '1',
      '--log_samples',
      '--output_path',
      path('first'),
    )
    const filtered = await samples(
      'toy_first',
      '--num_fewshot',
      '1',
      '--json',
      '--log_samples',
      '--output_path',
      path('first-again'),
    )
    expect((JSON.parse(filtered.stdout) as Document).results).toEqual(asked.results)
    const words = (folder: string): unknown[] => {
      const name =
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((one) =>
          /samples_toy_(?:first|write)_.*jsonl$/.test(one),
        ) ?? ''
      const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n')
      return lines.map((line) => (JSON.parse(line) as { filtered_resps: unknown }).filtered_resps)
    }
    expect(words(path('first-again'))).toEqual(words(path('first')))
    expect(words(path('first-again'))).not.toEqual(words(path('logged')))
  })

  test.each([
    ['another prompt', ['--num_fewshot', '2'], /no answer to/],
    ['other kwargs', ['--num_fewshot', '1', '--gen_kwargs', 'max_gen_toks=9'], /other generation_kwargs/],
  ])('%s is refused', async (_, flags, words) => {
    const { code, stderr } = await samples('toy_write', ...flags)
    expect([code === 0, words.test(stderr)]).toEqual([false, true])
  })

  test('a folder without samples, and a line that is none, are refused', async () => {
    mkdirSync(path('broken'))
    const refused = async () =>
      strata([
        'harness',
        '--model',
        'samples',
        '--model_args',
        `path=${path('broken')}`,
        '--include_path',
        tasks,
        '--tasks',
        'toy',
      ])
    expect((await refused()).stderr).toContain('no samples of lm-evaluation-harness')
    writeFileSync(
      path('broken/samples_toy_2026-01-01T00-00-00.000000.jsonl'),
      '{"doc_id": 0, "arguments": {"gen_args_0": {"arg_0": "x"}}, "resps": []}\n',
    )
    expect((await refused()).stderr).toMatch(/result\.invalid.*samples_toy_.*:1/)
  })
})

describe('backend of --model_args', () => {
  const t5 = join(import.meta.dirname, '..', '..', 'assets', 'models', 'tiny-t5')
  const asked = async (...flags: readonly string[]) =>
    strata(['harness', ...flags, '--include_path', tasks, '--tasks', 'toy', '--cache-dir', path('cache'), '--json'])

  test('seq2seq is what T5 is by itself', async () => {
    const resultsOf = ({ stdout, stderr }: { stdout: string; stderr: string }): unknown => {
      if (stdout === '') throw new Error(stderr)
      return (JSON.parse(stdout) as Document).results
    }
    const named = resultsOf(await asked('--model', 'hf', '--model_args', `pretrained=${t5},backend=seq2seq`))
    expect(named).toEqual(resultsOf(await asked(t5)))
    expect(Object.keys(named as object).sort()).toEqual(['toy', 'toy_choose', 'toy_write'])
  })

  test.each([
    [t5, 'causal', /backend.*not what the model is.*causal.*seq2seq/s],
    [model, 'seq2seq', /backend.*not what the model is.*seq2seq.*causal/s],
    [t5, 'mamba', /backend.*mamba.*causal.*seq2seq.*default/s],
  ])('of %s, %s is refused', async (pretrained, backend, words) => {
    const { code, stderr } = await asked('--model', 'hf', '--model_args', `pretrained=${pretrained},backend=${backend}`)
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)])
  })
})
