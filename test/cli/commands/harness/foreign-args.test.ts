import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../../../scratch.ts'
import { repo, strata } from '../../program.ts'

const { path, file } = scratchFolder()
const model = join(repo, 'assets', 'models', 'stories260K')

test.each([
  ['load_in_4bit=True', /float32.*local-completions/],
  ['load_in_8bit=True', /float32.*local-completions/],
  ['bnb_4bit_compute_dtype=bfloat16', /float32.*local-completions/],
  ['quantization_config=x', /float32.*local-completions/],
  ['peft=org/adapter', /pretrained=BASE\+ADAPTER/],
  ['parallelize=True', /--threads/],
  ['device_map=auto', /--threads/],
  ['gguf_file=x.gguf', /GGUF/],
  ['tokenizer=other', /strata transplant/],
  ['max_lenght=9', /did you mean max_length/],
])('--model_args %s is refused with what to do instead', async (given, hint) => {
  const { code, stdout, stderr } = await strata(['harness', model, '--tasks', 'any', '--model_args', given])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(hint)
})

test('--model_args that change nothing are taken', async () => {
  mkdirSync(path('data'))
  file('data/test.jsonl', '{"q": "Hi"}\n')
  const task = file(
    'usual.yaml',
    `task: usual\ndataset_path: ${path('data')}\ntest_split: test\noutput_type: multiple_choice\ndoc_to_text: q\ndoc_to_target: 0\ndoc_to_choice: ['a', 'b']\n`,
  )
  const given = 'load_in_4bit=False,parallelize=False,use_fast_tokenizer=True,logits_cache=True,dtype=float32'
  const { code, stdout } = await strata(['harness', model, '--tasks', task, '--model_args', given], {
    env: { STRATA_LM_EVAL: path('none') },
  })
  expect([code, stdout.includes('usual')]).toEqual([0, true])
})
