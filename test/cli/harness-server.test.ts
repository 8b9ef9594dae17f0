/**
 * strata harness against a server that runs the carried checkpoint: the scores are the checkpoint's, answers are kept,
 * the key is told to nobody.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answering, checkpointServer } from '../model/server/answering.ts'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'

const { path } = scratchFolder()
const model = join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K')
let server: Answering

beforeAll(async () => {
  server = await checkpointServer(model)
  for (const folder of ['tasks', 'data']) mkdirSync(path(folder))
  const rows = Array.from({ length: 5 }, (_, i) => ({
    question: `Tom saw ${['a cat', 'a dog'][i % 2]} ${i}. It was`,
    options: ['big', 'red.'],
    label: i % 2,
  }))
  writeFileSync(path('data/test.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const shared = `dataset_path: ${path('data')}\ntest_split: test\ndoc_to_text: question\n`
  const tasks = {
    choose: 'output_type: multiple_choice\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\n',
    read: 'output_type: loglikelihood_rolling\ndoc_to_text: ""\ndoc_to_target: "{{question}} {{options[0]}}"\nmetric_list: [{metric: word_perplexity}]\n',
    write:
      'output_type: generate_until\ndoc_to_target: "{{options[label]}}"\ngeneration_kwargs: {until: ["."], max_gen_toks: 6, temperature: 0.0, do_sample: false}\n',
  }
  for (const [name, text] of Object.entries(tasks))
    writeFileSync(path(`tasks/${name}.yaml`), `${shared}task: own_${name}\n${text}`)
})
afterAll(async () => server.close())

const harness = async (...flags: readonly string[]) =>
  strata(['harness', '--include_path', path('tasks'), '--tasks', 'own_write,own_choose,own_read', '--json', ...flags], {
    env: { STRATA_LM_EVAL: path('none'), OPENAI_API_KEY: 'not-a-key' },
  })
const served = async (...flags: readonly string[]) =>
  harness(
    '--model',
    'local-completions',
    '--model_args',
    `model=tiny,base_url=${server.root}/completions,tokenizer=${model},max_length=513,batch_size=2`,
    ...flags,
  )

/** Float32 sums of another order: the server runs every prefix by itself. */
const rounded = (results: unknown): unknown =>
  JSON.parse(JSON.stringify(results), (_key, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  )

test('scores and texts are the checkpoint’s own; a second run asks nothing', async () => {
  const own = await harness('--model_args', `pretrained=${model},add_bos_token=False,max_length=512`)
  const first = await served('--output_path', path('out'), '--log_samples')
  expect([own.code, first.code, first.stderr.includes('not-a-key')]).toEqual([0, 0, false])
  const results = (stdout: string): unknown => rounded((JSON.parse(stdout) as { results: unknown }).results)
  expect(results(first.stdout)).toEqual(results(own.stdout))
  const asked = server.questions.length
  expect(server.questions.every(({ authorization }) => authorization === 'Bearer not-a-key')).toBe(true)
  const again = await served('--output_path', path('out'), '--log_samples')
  expect(results(again.stdout)).toEqual(results(first.stdout))
  expect(server.questions.length).toBe(asked)
  expect(readFileSync(path('out/tiny/answers.jsonl'), 'utf8')).not.toContain('not-a-key')
})

test('a chat server is refused scores before it is asked anything, and says what it can', async () => {
  const asked = server.questions.length
  const { code, stderr } = await harness(
    '--model',
    'local-chat-completions',
    '--model_args',
    `model=tiny,base_url=${server.root}/chat/completions`,
  )
  expect([code === 0, /no log-probabilities/.test(stderr), server.questions.length - asked]).toEqual([false, true, 0])
})
