import { describe, expect, test } from 'vitest'
import { declare, declaredKind, findEntry, findPlugin, keyName, openTable, runPlugin } from '#core'

const source = { path: './mine.ts', sha256: 'abc', code: '' }
const table = () => openTable('metric', { ours: { name: 'ours' } }, ['word'])

describe('a table', () => {
  test('finds its own and what was added, and suggests both', () => {
    const opened = table()
    opened.add({ name: 'theirs' }, source)
    expect(opened.all().map(({ name }) => name)).toEqual(['ours', 'theirs'])
    expect(findEntry(opened, 'theirs', '--metrics').name).toBe('theirs')
    expect(() => findEntry(opened, 'their', '--metrics')).toThrow(
      expect.objectContaining({ code: 'usage.value', hint: 'did you mean theirs?' }) as Error,
    )
    opened.clear()
    expect(opened.all().map(({ name }) => name)).toEqual(['ours'])
  })

  test.each(['ours', 'word', 'theirs'])('refuses the name %s, which is taken', (name) => {
    const opened = table()
    opened.add({ name: 'theirs' }, source)
    expect(() => opened.add({ name }, { ...source, path: './other.ts' })).toThrow('./other.ts: the name of its metric')
  })
})

test('a key has the name of an entry, and of a plug-in’s the content too, without its place', () => {
  const [entry, moved, own] = [{ name: 'mine' }, { name: 'mine' }, { name: 'ours' }]
  table().add(entry, source)
  table().add(moved, { ...source, path: './elsewhere.ts' })
  expect(keyName(own)).toBe('ours')
  expect(keyName(entry)).toBe('mine@abc')
  expect(keyName(moved)).toBe('mine@abc')
  expect(findPlugin(entry)).toBe(source)
  expect(findPlugin(own)).toBeUndefined()
})

test('only what was declared has a kind', () => {
  const made = declare('metric', { name: 'mine' })
  expect(declaredKind(made)).toBe('metric')
  expect([{ name: 'mine' }, 'metric', null].map(declaredKind)).toEqual([undefined, undefined, undefined])
})

test('what a plug-in throws or rejects with names it', async () => {
  const fail = (): never => {
    throw new Error('no')
  }
  expect(() => runPlugin('./mine.ts', fail)).toThrow('./mine.ts: no')
  await expect(runPlugin('./mine.ts', async () => fail())).rejects.toMatchObject({
    code: 'plugin.failed',
    message: './mine.ts: no',
  })
})
