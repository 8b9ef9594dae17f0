import * as fc from 'fast-check'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { parseReference, type Reference, referenceText } from '#files/hub'
import { scratch } from './scene.ts'

const before = process.cwd()
afterEach(() => process.chdir(before))

/** An empty folder to stand in, so that no name of the test exists by chance. */
async function stand(): Promise<string> {
  const folder = await scratch()
  process.chdir(folder)
  return folder
}

function code(text: string): string {
  const result = parsed(text)
  return result instanceof Fault ? result.code : 'no fault'
}

/** The reference, or the fault; any other error is a failed test. */
function parsed(text: string): Reference | Fault {
  try {
    return parseReference(text)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

describe('parseReference', () => {
  test.each<[string, Reference]>([
    ['gpt2', { kind: 'hub', name: 'gpt2' }],
    ['org/name', { kind: 'hub', name: 'org/name' }],
    ['https://huggingface.co/org/name', { kind: 'hub', name: 'org/name' }],
    ['https://huggingface.co/org/name/', { kind: 'hub', name: 'org/name' }],
    ['https://hf.co/gpt2?library=transformers', { kind: 'hub', name: 'gpt2' }],
    ['https://huggingface.co/org/name/tree/step7', { kind: 'hub', name: 'org/name', revision: 'step7' }],
    ['https://huggingface.co/org/name/blob/main/config.json', { kind: 'hub', name: 'org/name', revision: 'main' }],
    ['https://huggingface.co/org/name/tree/refs%2Fpr%2F3', { kind: 'hub', name: 'org/name', revision: 'refs/pr/3' }],
    ['hf://org/name@step7', { kind: 'hub', name: 'org/name', revision: 'step7' }],
    ['org/name@main', { kind: 'hub', name: 'org/name', revision: 'main' }],
    ['org/name@refs/pr/12', { kind: 'hub', name: 'org/name', revision: 'refs/pr/12' }],
    ['gpt2@v1.0', { kind: 'hub', name: 'gpt2', revision: 'v1.0' }],
    ['EleutherAI/pythia-70m@step1000', { kind: 'hub', name: 'EleutherAI/pythia-70m', revision: 'step1000' }],
    [
      'org/name@8b3219a92973c328a8e22fadcfa821b5dc75636a',
      { kind: 'hub', name: 'org/name', revision: '8b3219a92973c328a8e22fadcfa821b5dc75636a' },
    ],
    ['./folder', { kind: 'folder', path: './folder' }],
    ['./folder/', { kind: 'folder', path: './folder' }],
    ['../up/folder', { kind: 'folder', path: '../up/folder' }],
    ['/abs/folder@x', { kind: 'folder', path: '/abs/folder@x' }],
    ['.', { kind: 'folder', path: '.' }],
    ['/', { kind: 'folder', path: '/' }],
    ['~/models/x', { kind: 'folder', path: join(homedir(), 'models/x') }],
    ['static:./table', { kind: 'folder', path: './table', static: true }],
    ['static:org/name@v2', { kind: 'hub', name: 'org/name', revision: 'v2', static: true }],
    ['merge:./recipe.yaml', { kind: 'merge', path: './recipe.yaml' }],
    ['merge:recipe.yaml', { kind: 'merge', path: './recipe.yaml' }],
    ['merge:./r.yaml+org/lora', { kind: 'merge', path: './r.yaml', adapter: { kind: 'hub', name: 'org/lora' } }],
    ['org/name+org/lora', { kind: 'hub', name: 'org/name', adapter: { kind: 'hub', name: 'org/lora' } }],
    [
      'org/name@rev+org/lora@v1',
      { kind: 'hub', name: 'org/name', revision: 'rev', adapter: { kind: 'hub', name: 'org/lora', revision: 'v1' } },
    ],
    ['./folder+./adapter', { kind: 'folder', path: './folder', adapter: { kind: 'folder', path: './adapter' } }],
    ['./folder+org/lora', { kind: 'folder', path: './folder', adapter: { kind: 'hub', name: 'org/lora' } }],
    ['gpt2+/abs/adapter', { kind: 'hub', name: 'gpt2', adapter: { kind: 'folder', path: '/abs/adapter' } }],
    ['org/name@v1.0+cu118', { kind: 'hub', name: 'org/name', revision: 'v1.0+cu118' }],
    [
      'org/name@v1.0+cu118+org/lora',
      { kind: 'hub', name: 'org/name', revision: 'v1.0+cu118', adapter: { kind: 'hub', name: 'org/lora' } },
    ],
  ])('%s', async (text, reference) => {
    await stand()
    expect(parseReference(text)).toEqual(reference)
  })

  test('an existing folder or file wins over a hub name of the same spelling', async () => {
    const folder = await stand()
    await mkdir(join(folder, 'org/name'), { recursive: true })
    await mkdir(join(folder, 'gpt2'))
    await writeFile(join(folder, 'model.safetensors'), '')
    expect(parseReference('org/name')).toEqual({ kind: 'folder', path: './org/name' })
    expect(parseReference('gpt2')).toEqual({ kind: 'folder', path: './gpt2' })
    expect(parseReference('model.safetensors')).toEqual({ kind: 'file', path: './model.safetensors' })
    expect(parseReference('./model.safetensors')).toEqual({ kind: 'file', path: './model.safetensors' })
    expect(parseReference('org/name+gpt2')).toEqual({
      kind: 'folder',
      path: './org/name',
      adapter: { kind: 'folder', path: './gpt2' },
    })
  })

  test('a revision always means the hub', async () => {
    const folder = await stand()
    await mkdir(join(folder, 'org/name'), { recursive: true })
    expect(parseReference('org/name@main')).toEqual({ kind: 'hub', name: 'org/name', revision: 'main' })
  })

  test('a plus sign in an existing path is part of the path', async () => {
    const folder = await stand()
    await mkdir(join(folder, 'c++/org'), { recursive: true })
    await mkdir(join(folder, 'a+b/c'), { recursive: true })
    expect(parseReference('./c++/org')).toEqual({ kind: 'folder', path: './c++/org' })
    expect(parseReference('./c++/org+./lora')).toEqual({
      kind: 'folder',
      path: './c++/org',
      adapter: { kind: 'folder', path: './lora' },
    })
    expect(parseReference('./a+b/c')).toEqual({ kind: 'folder', path: './a+b/c' })
  })

  test.each([
    '',
    ' ',
    'a b/c',
    'org/',
    'org//name',
    'a/b/../c',
    'a/b/',
    'a/b//c',
    'a//b/c',
    'a/b.git/c',
    'org/na--me',
    'org/na..me',
    '-org/name',
    'org/name-',
    'org/.name',
    'org/name.git',
    'org/näme',
    'org\\name',
    'C:\\models',
    'https://huggingface.co/datasets/org/name',
    'https://huggingface.co/org/name/tree/main/folder',
    's3://bucket/name',
    `org/${'x'.repeat(97)}`,
    'org/name@',
    'org/name@../../etc',
    'org/name@a..b',
    'org/name@/abs',
    'org/name@a//b',
    'org/name@a b',
    'org/name@.hidden',
    'org/name@x.lock',
    'org/name@a\\b',
    `org/name@${'x'.repeat(300)}`,
    'org/name\0',
    './x\0y',
    'org/name+org/a+org/b',
    'static:static:org/name',
    'static:merge:./r.yaml',
    'org/name+cu118',
  ])('%j is no reference', async (text) => {
    await stand()
    expect(code(text)).toBe('hub.name')
  })

  test('behind org/name comes a folder of the repository, before the revision', async () => {
    await stand()
    expect(parseReference('org/name/runs/epoch-9')).toEqual({ kind: 'hub', name: 'org/name', folder: 'runs/epoch-9' })
    expect(parseReference('org/name/x@refs/pr/1+org/lora')).toEqual({
      kind: 'hub',
      name: 'org/name',
      folder: 'x',
      revision: 'refs/pr/1',
      adapter: { kind: 'hub', name: 'org/lora' },
    })
  })

  test('96 characters are a name, and underscores may stand at its ends', () => {
    expect(code(`${'o'.repeat(96)}/${'x'.repeat(96)}`)).toBe('no fault')
    expect(code('_org_/_name_')).toBe('no fault')
  })

  test('a prefix needs its object, and a static table cannot have an adapter', () => {
    expect(code('merge:')).toBe('usage.value')
    expect(code('static:')).toBe('usage.value')
    expect(code('static:./folder+org/lora')).toBe('usage.conflict')
  })

  test('the words of a refusal', () => {
    expect(() => parseReference('a/b/./c')).toThrow(
      'a/b/./c: a repository name has at most one / – wanted org/name, org/name@revision, or a folder as ./folder',
    )
  })
})

describe('referenceText', () => {
  const word = fc
    .stringMatching(/^[a-zA-Z0-9_]([a-zA-Z0-9_.-]{0,10}[a-zA-Z0-9_])?$/)
    .filter((text) => !/--|\.\.|\.git$/.test(text))
  const name = fc.oneof(
    word,
    fc.tuple(word, word).map((parts) => parts.join('/')),
  )
  const revision = fc
    .array(fc.stringMatching(/^[a-zA-Z0-9_-]([a-zA-Z0-9_.@-]{0,8}[a-zA-Z0-9_-])?$/), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('/'))
    .filter((text) => !/\.\.|@\{|\.lock/.test(text))
  const path = fc
    .tuple(fc.constantFrom('./', '../', '/nowhere/'), fc.stringMatching(/^[a-z@ _-]{1,8}(\/[a-z.]{1,5}[a-z])?$/))
    .map((parts) => parts.join(''))
  const hub = fc.record({ kind: fc.constant('hub' as const), name, revision }, { requiredKeys: ['kind', 'name'] })
  const onDisk = fc.record({ kind: fc.constant('folder' as const), path })
  const adapter = fc.oneof(
    hub.filter((reference) => reference.name.includes('/')),
    onDisk,
  )
  const inside = fc
    .tuple(word, word, fc.array(word, { minLength: 1, maxLength: 3 }))
    .map(([org, repo, parts]) => ({ kind: 'hub' as const, name: `${org}/${repo}`, folder: parts.join('/') }))
  const bare = fc.oneof(hub, inside, onDisk, fc.record({ kind: fc.constant('merge' as const), path }))
  const reference: fc.Arbitrary<Reference> = fc.oneof(
    bare,
    fc.tuple(bare, adapter).map(([base, lora]) => ({ ...base, adapter: lora })),
    fc.oneof(hub, onDisk).map((base) => ({ ...base, static: true as const })),
  )

  test('parses back to the same reference', async () => {
    await stand()
    fc.assert(
      fc.property(reference, (value) => {
        expect(parseReference(referenceText(value))).toEqual(value)
      }),
      { seed: 2 },
    )
  })

  test('whatever is typed either fails with a fault or has a text that means the same', async () => {
    await stand()
    const pieces = fc.array(
      fc.constantFrom(
        './',
        '../',
        '/',
        '~/',
        '+',
        '@',
        ':',
        'static:',
        'merge:',
        'org',
        'name',
        '..',
        '.',
        ' ',
        '\\',
        '\0',
        '\ud800',
        'é',
        '--',
        '.git',
      ),
      { maxLength: 9 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((parts) => parts.join('')),
          fc.string(),
        ),
        (text) => {
          const first = parsed(text)
          expect(first instanceof Fault ? first : parseReference(referenceText(first))).toEqual(first)
        },
      ),
      { seed: 3, numRuns: 2000 },
    )
  })
})
