/** strata generate by the program: texts, drawing, chats, Ctrl-C, refusals. */
import { closeSync, cpSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'

const { path } = scratchFolder()
const model = join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K')

interface Said {
  readonly text: string
  readonly finish_reason: string
  readonly tokens: { readonly prompt: number; readonly written: number }
  readonly tokens_per_second: number | null
  readonly seed: number | null
}
/** With `input` in a process of its own, whose standard input it is. */
const generate = async (args: readonly string[], input?: string) =>
  strata(['generate', ...args], input === undefined ? {} : { input })
const said = async (args: readonly string[], input?: string): Promise<Said> => {
  const { stdout, stderr } = await generate([...args, '--json'], input)
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Said
}

/** The model with another tokenizer. */
function withTokenizer(
  name: string,
  change: (settings: Record<string, unknown>, tokenizer: Record<string, unknown>) => void,
): string {
  const folder = path(name)
  cpSync(model, folder, { recursive: true })
  const files = ['tokenizer_config.json', 'tokenizer.json'].map((file) => join(folder, file))
  const [settings = {}, tokenizer = {}] = files.map(
    (file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>,
  )
  change(settings, tokenizer)
  files.forEach((file, i) => writeFileSync(file, JSON.stringify([settings, tokenizer][i])))
  return folder
}

let [chatty, withoutBegin] = ['', '']
beforeAll(() => {
  chatty = withTokenizer('chatty', (settings) => {
    settings['chat_template'] =
      "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ m.content }} {% else %}{{ m.role }}: {{ m.content }}\n{% endif %}{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}"
  })
  withoutBegin = withTokenizer('without-begin', (settings, tokenizer) => {
    tokenizer['post_processor'] = null
    delete settings['bos_token']
    settings['add_bos_token'] = false
  })
})

// models/stories260K, SOURCE.md of the shared folder
const known =
  ', there was a little girl named Lily. She loved to play outside in the park. One day, she saw a big, red ball. She wanted to play with it, but it was too high.'

describe('a text', () => {
  test('is gone on with as its makers recorded, and ends before a stop string', async () => {
    const { code, stdout, stderr } = await generate([model, 'Once upon a time', '--stop', 'never', '--stop', '\n'])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${known}\n`, stderr: '' })
  })

  test('is computed in the type that is asked for', async () => {
    const [exact, quantised] = await Promise.all(
      ['float32', 'int8'].map((dtype) => said([model, 'Once upon a time, there was', '-n', '90', '--dtype', dtype])),
    )
    expect(quantised?.text.slice(0, 40)).toBe(exact?.text.slice(0, 40))
    expect(quantised?.text).not.toBe(exact?.text)
    const { code, stderr } = await generate([model, 'Once', '--dtype', 'bfloat16', '--engine', 'onnxruntime'])
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/does not compute in bfloat16[^]*openvino/) as string,
    })
  })

  test('from standard input is the same, without its last line break', async () => {
    const texts = await Promise.all([
      said([model, '-n', '40'], 'Once upon a time\r\n'),
      said([model, '-', '-n', '40'], 'Once upon a time'),
    ])
    expect(
      texts.map(({ text, finish_reason, tokens, seed }) => [known.startsWith(text), finish_reason, tokens, seed]),
    ).toEqual([
      [true, 'length', { prompt: 5, written: 40 }, null],
      [true, 'length', { prompt: 5, written: 40 }, null],
    ])
  })

  test('a stop string in the middle of a token, and one over several', async () => {
    const texts = await Promise.all(
      ['ittl', 'girl named'].map(async (stop) => said([model, 'Once upon a time', '--stop', stop])),
    )
    expect(texts.map(({ text, finish_reason }) => [text, finish_reason])).toEqual([
      [', there was a l', 'stop'],
      [', there was a little ', 'stop'],
    ])
  })

  test('of characters that the vocabulary has only as bytes comes out whole', async () => {
    // so hot that every token is as good as any other: bytes, and some that make a character
    const args = [model, 'Tom', '-n', '60', '--temperature', '50', '--seed', '142']
    const [shown, whole] = await Promise.all([generate(args), said(args)])
    expect(whole.text).toContain('ʅ')
    expect(shown.stdout).toBe(`${whole.text}\n`)
  })

  test('drawn: the same seed, the same text', async () => {
    const draw = ['--temperature', '1.5', '--top-k', '50', '-n', '20', '--seed']
    const [a, b, c] = await Promise.all(['7', '7', '8'].map(async (seed) => said([model, 'Tom', ...draw, seed])))
    expect([a?.text === b?.text, a?.text === c?.text, a?.seed]).toEqual([true, false, 7])
  })

  test('--top-p alone draws at temperature 1, with a seed that is told', async () => {
    const first = await said([model, 'Tom', '--top-p', '0.99', '-n', '20'])
    const again = await said([
      model,
      'Tom',
      '--top-p',
      '0.99',
      '-n',
      '20',
      '--temperature',
      '1',
      '--seed',
      String(first.seed),
    ])
    expect([again.text, again.seed]).toEqual([first.text, first.seed])
  })

  test('an empty prompt begins with the token that begins texts', async () => {
    const { text, tokens } = await said([model, '', '-n', '4'])
    expect([text.length > 0, tokens]).toEqual([true, { prompt: 1, written: 4 }])
  })

  test('ends where it is told to, and says so, and where the window ends', async () => {
    const { stderr } = await generate([model, 'Tom', '-n', '9'])
    expect(stderr).toContain('cut after 9 tokens')
    const { finish_reason: end, tokens } = await said([model, 'Once upon a time. '.repeat(72), '-n', '400'])
    expect([end, tokens.prompt + tokens.written]).toEqual(['length', 512])
  })
})

describe('a chat', () => {
  test('is a prompt by the template, with its system turn', async () => {
    const [chat, plain] = await Promise.all([
      said([chatty, '--chat', 'Tell me a story', '--system', 'Be kind.', '-n', '12']),
      said([model, 'Be kind. user: Tell me a story\nassistant:', '-n', '12']),
    ])
    expect([chat.text, chat.tokens]).toEqual([plain.text, plain.tokens])
  })
})

test('Ctrl-C ends the text where it is: what is there stays', async () => {
  const out = path('out.txt')
  const file = openSync(out, 'w')
  const { code, stderr } = await strata(['generate', model, 'Once upon a time', '-n', '500'], {
    stdout: file,
    killBy: 'SIGINT',
    killWhen: () => statSync(out).size > 0,
  })
  closeSync(file)
  const written = readFileSync(out, 'utf8')
  expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
  expect([written.endsWith('\n'), written.length > 1 && known.startsWith(written.slice(0, 20).trimEnd())]).toEqual([
    true,
    true,
  ])
})

describe('refused', () => {
  const refusals: readonly { args: () => readonly string[]; code: number; words: RegExp }[] = [
    { args: () => [withoutBegin, ''], code: 2, words: /empty, and the model has no token that begins a text/ },
    {
      args: () => [model, 'word '.repeat(600)],
      code: 2,
      words: /usage\.value .*as long as the model's window or longer – \d+, wanted below 512 tokens/,
    },
    { args: () => [model, 'x', '--chat'], code: 1, words: /chat\.template .*has no chat template/ },
    { args: () => [model, 'x', '--system', 'y'], code: 2, words: /usage\.conflict {2}--system/ },
    {
      args: () => [model, 'x', '--temperature', '0', '--top-p', '0.5'],
      code: 2,
      words: /usage\.conflict {2}--top-p: has no effect at temperature 0, where nothing is drawn/,
    },
    { args: () => [model, 'x', '--top-p', '1.5'], code: 2, words: /--top-p: must be greater than 0 and at most 1/ },
    { args: () => [model, 'x', '-n', '0'], code: 2, words: /must be a whole number, 1 or greater/ },
    { args: () => ['./no/such/model', 'x'], code: 1, words: /^error file\.missing|^error hub\./m },
  ]
  test.each(refusals)('$words', async ({ args, code, words }) => {
    const { code: seen, stdout, stderr } = await generate(args())
    expect(stderr).toMatch(words)
    expect([seen, stdout]).toEqual([code, ''])
  })
})
