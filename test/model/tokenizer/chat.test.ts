/**
 * Chat templates: the same text as Jinja2 in transformers' environment, and nothing a stranger's template can do to
 * this process.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { type ChatOptions, loadTokenizer, type Tokenizer } from '#model/tokenizer'
import { shared, sharedPath } from '../../shared.ts'
import { faultOf, memoryFiles } from './made-folder.ts'
import { wordLevelJson } from './small-tokenizers.ts'
import { goldenOf } from '../../golden-of.ts'

interface Golden {
  messages: { role: string; content: string }[]
  cases: { template: string; text?: string; error?: string }[]
}

const golden = goldenOf<Golden>('model/tokenizer', 'jinja-3.1.6')

const open = (config: Record<string, unknown> = {}, files: Record<string, string> = {}): Promise<Tokenizer> =>
  loadTokenizer(
    memoryFiles({ 'tokenizer.json': wordLevelJson(), 'tokenizer_config.json': JSON.stringify(config), ...files }),
  )

const user = [{ role: 'user', content: 'hi' }]

async function render(template: string, options: ChatOptions = {}): Promise<string> {
  return (await open({ chat_template: template })).renderChat(user, options)
}

async function refusal(template: string): Promise<Fault> {
  const tokenizer = await open({ chat_template: template })
  return faultOf(() => tokenizer.renderChat(user))
}

describe('templates render as in Jinja2 3.1.6 (oracles/chat.py)', () => {
  const texts = golden.cases.filter(({ text }) => text !== undefined)
  const errors = golden.cases.filter(({ error }) => error !== undefined)

  test.each(texts)('$template', async ({ template, text }) => {
    const tokenizer = await open({ chat_template: template })
    expect(tokenizer.renderChat(golden.messages)).toBe(text)
  })

  test.each(errors)('$template fails', async ({ template }) => {
    const tokenizer = await open({ chat_template: template })
    expect(faultOf(() => tokenizer.renderChat(golden.messages)).code).toBe('chat.template')
  })
})

describe('templates of a repository', () => {
  test('the one in chat_template.jinja wins over the config', async () => {
    expect((await open({ chat_template: 'config' }, { 'chat_template.jinja': 'file' })).renderChat(user)).toBe('file')
  })

  test('are chosen by name, tool_use when there are tools', async () => {
    const chat_template = [
      { name: 'default', template: 'default' },
      { name: 'tool_use', template: 'tools' },
      { name: 'rag', template: '{{ documents[0].title }}' },
    ]
    const tokenizer = await open({ chat_template })
    expect(tokenizer.hasChatTemplate).toBe(true)
    expect(tokenizer.renderChat(user)).toBe('default')
    expect(tokenizer.renderChat(user, { tools: [{}] })).toBe('tools')
    expect(tokenizer.renderChat(user, { template: 'rag', documents: [{ title: 'T' }] })).toBe('T')
    expect(tokenizer.renderChat(user, { template: 'text {{ 1 + 1 }}' })).toBe('text 2')
    expect(faultOf(() => tokenizer.renderChat(user, { template: 'rga' })).hint).toContain('rag')
  })

  test('in additional_chat_templates are named after their files', async () => {
    const tokenizer = await open({}, { 'additional_chat_templates/short.jinja': '{{ messages[0].content }}!' })
    expect(tokenizer.renderChat(user, { template: 'short' })).toBe('hi!')
    expect(faultOf(() => tokenizer.renderChat(user)).code).toBe('chat.template')
  })

  test('see special tokens, the generation flag and further variables', async () => {
    const tokenizer = await open({
      bos_token: '<s>',
      additional_special_tokens: ['<x>'],
      chat_template: '{{ bos_token }}{{ additional_special_tokens[0] }}{{ add_generation_prompt }}{{ thinking }}',
    })
    expect(tokenizer.renderChat(user, { addGenerationPrompt: true, variables: { thinking: 0.5 } })).toBe(
      '<s><x>True0.5',
    )
  })

  test('a tokenizer without any says so', async () => {
    const tokenizer = await open()
    expect(tokenizer.hasChatTemplate).toBe(false)
    expect(faultOf(() => tokenizer.renderChat(user))).toMatchObject({
      code: 'chat.template',
      parts: { what: 'the tokenizer has no chat template' },
    })
  })
})

describe('a hostile template', () => {
  const endless = [
    ['a range of 10^8', '{% for i in range(100000000) %}x{% endfor %}'],
    ['nested loops', '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}'],
    [
      'a string that doubles',
      "{% set n = namespace(s='x') %}{% for i in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}{{ n.s|length }}",
    ],
    [
      'a list that doubles',
      '{% set n = namespace(s=[1]) %}{% for i in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}',
    ],
    [
      'lists of lists of the same list, printed',
      '{% set n = namespace(s=[1]) %}{% for i in range(99) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s|tojson }}',
    ],
    [
      'lists of lists of the same list, compared',
      '{% set n = namespace(s=[1]) %}{% for i in range(99) %}{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s == n.s }}',
    ],
    ['a repeated string', "{{ 'a' * 1000000000 }}"],
    ['a repeated list', '{{ [1] * 1000000000 }}'],
    ['padding', "{{ 'a'.center(1000000000) }}"],
    ['indentation', "{{ ('a\\n' * 9999)|indent(1000000) }}"],
    ['replacement', "{{ ('a' * 99999)|replace('a', 'b' * 99999) }}"],
    ['joining', "{{ range(99999)|join('x' * 99999) }}"],
    ['work without output', "{% set s = ' ' * 999999 %}{% for i in range(99999) %}{% set t = s.strip() %}{% endfor %}"],
    ['recursion', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
    ['nested brackets', `{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`],
    ['a long run of spaces', `${' '.repeat(500_000)}{% generation %}`],
  ] as const

  test.each(endless)('is stopped: %s', async (_name, template) => {
    expect((await refusal(template)).code).toBe('chat.template')
  })

  const reaching = [
    "{{ messages.constructor.constructor('return process')() }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ messages['constructor']['constructor']('return 1')() }}",
    '{{ messages.__proto__.x() }}',
    '{{ (messages|first).__proto__.polluted() }}',
    "{{ range.constructor('return 1')() }}",
    "{{ 'a'|attr('constructor')() }}",
    "{{ [messages]|map(attribute='constructor.constructor')|first() }}",
    '{{ process.exit() }}',
    '{{ 1|constructor }}',
    '{{ messages is constructor }}',
  ]

  test.each(reaching)('finds no way out: %s', async (template) => {
    expect((await refusal(template)).code).toBe('chat.template')
  })

  test('cannot change the objects it is given', async () => {
    const messages = [{ role: 'user', content: 'hi' }]
    const tokenizer = await open({ chat_template: "{% set messages[0].content = 'x' %}" })
    expect(faultOf(() => tokenizer.renderChat(messages)).code).toBe('chat.template')
    expect(messages).toEqual([{ role: 'user', content: 'hi' }])
  })

  test.skipIf(!shared).each(['chat-loop', 'chat-escape', 'chat-escape-python'])('%s.json is refused', async (name) => {
    const { chat_template: template } = JSON.parse(
      readFileSync(sharedPath('models', 'pico', 'hostile', 'tokenizer', `${name}.json`), 'utf8'),
    ) as {
      chat_template: string
    }
    expect((await refusal(template)).code).toBe('chat.template')
  })
})

test('any text is either rendered or refused as a template', async () => {
  const pieces = fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '%}',
    '{#',
    '#}',
    '-',
    ' for x in messages ',
    ' endfor ',
    ' if x ',
    ' endif ',
    'x',
    '.',
    '(',
    ')',
    '[',
    ']',
    '|',
    "'",
    '\\',
    '\n',
    ' set x = 1 ',
    'macro m()',
    'endmacro',
    'is',
    'not',
    'a',
  )
  const tokenizer = await open()
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      let code: unknown = 'rendered'
      try {
        tokenizer.renderChat(user, { template: ` ${parts.join('')}` })
      } catch (error) {
        code = error instanceof Fault ? error.code : error
      }
      expect(['rendered', 'chat.template']).toContain(code)
    }),
    { seed: 7, numRuns: 2_000 },
  )
})

test('special tokens in the text of a message are the template’s business: they are not escaped', async () => {
  expect(await render('{{ messages[0].content }}</s>')).toBe('hi</s>')
})
