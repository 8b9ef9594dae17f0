import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderIdentity, openRepo, parseReference, prefetch, repoLabel } from '#files/hub'
import { codeOf, faultOf, scratch } from './scene.ts'

async function modelFolder(): Promise<string> {
  const folder = join(await scratch(), 'my-model')
  await mkdir(join(folder, '1_Pooling'), { recursive: true })
  await mkdir(join(folder, '.git'))
  await writeFile(join(folder, 'config.json'), '{"a":1}')
  await writeFile(join(folder, '1_Pooling/config.json'), '\ufeff{}')
  await writeFile(join(folder, '.git/HEAD'), 'ref')
  return folder
}

describe('a folder', () => {
  test('lists its files, without those of version control', async () => {
    const files = await openRepo(await modelFolder())
    expect(await files.list()).toEqual(['1_Pooling/config.json', 'config.json'])
    expect(await files.has('config.json')).toBe(true)
    expect(await files.has('1_Pooling')).toBe(false)
    expect(await files.has('modules.json')).toBe(false)
    expect(files.revision).toBeUndefined()
    expect(files.notice).toBeUndefined()
  })

  test('gives bytes, text without a byte order mark, and real paths', async () => {
    const folder = await modelFolder()
    const files = await openRepo(folder)
    expect(await files.bytes('config.json')).toEqual(new TextEncoder().encode('{"a":1}'))
    expect(await files.text('1_Pooling/config.json')).toBe('{}')
    expect(await files.local('./1_Pooling//config.json')).toBe(join(folder, '1_Pooling/config.json'))
  })

  test('follows links, and ends where they lead in circles', async () => {
    const folder = await modelFolder()
    const elsewhere = await scratch()
    await writeFile(join(elsewhere, 'weights.bin'), 'w')
    await symlink(join(elsewhere, 'weights.bin'), join(folder, 'model.bin'))
    await symlink(folder, join(folder, 'again'))
    await symlink('nowhere', join(folder, 'broken'))
    const files = await openRepo(folder)
    expect(await files.list()).toEqual(['1_Pooling/config.json', 'config.json', 'model.bin'])
    expect(await files.local('model.bin')).toBe(join(elsewhere, 'weights.bin'))
    expect(await files.has('broken')).toBe(false)
  })

  test.each([
    '../secret',
    'a/../../secret',
    '/etc/passwd',
    'a\\..\\b',
    'C:/x',
    'c:x',
    'a\0b',
    '',
    '.',
    './',
    `x/${'y/'.repeat(3000)}z`,
    '\ud800',
  ])('refuses %j as a path of its own', async (path) => {
    const files = await openRepo(await modelFolder())
    for (const attempt of [
      files.has(path),
      files.local(path),
      files.bytes(path),
      files.text(path),
      prefetch(files, [path]),
    ]) {
      expect(await codeOf(attempt)).toBe('file.outside')
    }
  })

  test('says what it holds when a file is missing', async () => {
    const fault = await faultOf((await openRepo(await modelFolder())).local('tokenizer.json'))
    expect(fault?.code).toBe('file.missing')
    expect(fault?.hint).toContain('config.json')
  })

  test('that is not there is a missing file, with a hint to the hub', async () => {
    const fault = await faultOf(openRepo('./no/such/folder'))
    expect(fault?.code).toBe('file.missing')
    expect(fault?.message).toBe('./no/such/folder: no such folder')
  })

  test('bounds what it reads into memory', async () => {
    const files = await openRepo(await modelFolder())
    expect(await codeOf(files.bytes('config.json', 6))).toBe('format.limit')
    expect((await files.bytes('config.json', 7)).byteLength).toBe(7)
  })

  test('that holds an endless device or bytes that are no text is no trap', async () => {
    const folder = await modelFolder()
    await writeFile(join(folder, 'latin1.txt'), Buffer.from([0xe4, 0x0a]))
    await symlink('/dev/zero', join(folder, 'endless'))
    const files = await openRepo(folder)
    expect(await codeOf(files.text('latin1.txt'))).toBe('file.unreadable')
    expect(await codeOf(files.bytes('endless'))).toBe('file.missing')
  })

  test('is opened around a single file', async () => {
    const folder = await modelFolder()
    const files = await openRepo(join(folder, 'config.json'))
    expect(files.name).toBe(folder)
    expect(await files.has('1_Pooling/config.json')).toBe(true)
  })

  test('of a merge that is not written does not exist', async () => {
    expect(await codeOf(openRepo('merge:./recipe.yaml'))).toBe('usage.value')
  })
})

describe('folderIdentity', () => {
  test('changes with the tensors and with config.json, and with nothing else', async () => {
    const folder = await modelFolder()
    const files = await openRepo(folder)
    const first = await folderIdentity(files, 'aa')
    expect(first).toMatch(/^[0-9a-f]{12}$/)
    expect(files.revision).toBe(first)
    await writeFile(join(folder, 'README.md'), 'hello')
    expect(await folderIdentity(files, 'aa')).toBe(first)
    expect(await folderIdentity(files, 'bb')).not.toBe(first)
    await writeFile(join(folder, 'config.json'), '{"a":2}')
    expect(await folderIdentity(files, 'aa')).not.toBe(first)
  })

  test('does without a config', async () => {
    expect(await folderIdentity(await openRepo(await scratch()), 'aa')).toMatch(/^[0-9a-f]{12}$/)
  })
})

describe('repoLabel', () => {
  test.each([
    ['org/name@main', 'abc', undefined, { model: 'org/name', revision: 'abc' }],
    ['./some/folder', 'abc', undefined, { model: 'folder', revision: 'abc' }],
    ['static:/some/folder', 'abc', undefined, { model: 'folder', revision: 'abc' }],
    ['merge:./a/ties.yaml', 'abc', undefined, { model: 'merge__ties', revision: 'abc' }],
    ['org/name+./lora', 'abc', 'def', { model: 'org/name+lora', revision: 'abc+def' }],
  ])('%s', (text, revision, adapterRevision, label) => {
    expect(repoLabel(parseReference(text), revision, adapterRevision)).toEqual(label)
  })
})
