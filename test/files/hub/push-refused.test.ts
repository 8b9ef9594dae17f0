import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { planPush, push } from '#files/hub'
import { folderOf, isCommit, isStore, model, place, pushed, weights } from './push-scene.ts'
import { codeOf, commit, faultOf, noise, tinyModel } from './scene.ts'
import type { Hub } from './server.ts'

describe('a push is refused', () => {
  const nothingSent = (hub: Hub): boolean => hub.requests.every(({ method }) => method === 'GET')

  test.each([
    ['offline', { HF_HUB_OFFLINE: '1' }, 'hub.offline', 'nothing can be pushed while the network is off'],
    ['without a token', { HF_TOKEN: '' }, 'hub.denied', 'pushing needs a token, and there is none'],
    ['with a token the hub does not know', { HF_TOKEN: 'hf_other' }, 'hub.denied', 'the token is not accepted'],
  ])('%s, before anything is sent', async (_, env, code, words) => {
    const here = await place([tinyModel()], { env })
    const fault = await faultOf(planPush('org/tiny', await folderOf(model), { settings: here.settings }))
    expect(fault?.code).toBe(code)
    expect(fault?.message).toContain(words)
    expect(fault?.hint).toBeDefined()
    expect(nothingSent(here.hub)).toBe(true)
  })

  test.each([
    ['offline', { HF_HUB_OFFLINE: '1' }, 'the network is off (HF_HUB_OFFLINE)'],
    ['without a token', { HF_TOKEN: '' }, 'there is no token'],
  ])('%s a dry run shows its plan, and asks the hub nothing', async (_, env, reason) => {
    const here = await place([tinyModel()], { env })
    const folder = await folderOf(model)
    const plan = await planPush('org/tiny', folder, { settings: here.settings, dryRun: true })
    expect([plan.notAsked, plan.files.length > 0, here.hub.requests.length]).toEqual([reason, true, 0])
    const other = await place([tinyModel()])
    const refused = await faultOf(push(plan, { settings: other.settings }))
    expect([refused?.code, other.hub.requests.length]).toEqual(['usage.conflict', 0])
  })

  test('with a token that may only read', async () => {
    const here = await place([tinyModel()], { role: 'read' })
    const fault = await faultOf(planPush('org/tiny', await folderOf(model), { settings: here.settings }))
    expect([fault?.code, fault?.parts.what]).toEqual(['hub.denied', 'the token may only read'])
  })

  test('with a fine-grained token that may not write here', async () => {
    const here = await place([tinyModel()], { role: 'fineGrained', owners: ['tester'] })
    const fault = await faultOf(pushed('org/tiny', await folderOf({ 'a.txt': 'a' }), { settings: here.settings }))
    expect([fault?.code, fault?.parts.what]).toEqual(['hub.denied', 'the token may not write here'])
    expect(fault?.hint).toContain('--create-pr')
  })

  test('to an organisation of others', async () => {
    const here = await place()
    const fault = await faultOf(pushed('others/new', await folderOf({ 'a.txt': 'a' }), { settings: here.settings }))
    expect([fault?.code, fault?.parts.what]).toEqual([
      'hub.denied',
      'the repository does not exist, and the token may not create it',
    ])
  })

  test.each([
    [413, 'hub.limit', 'too large for the hub'],
    [402, 'hub.limit', 'the storage of the account is full'],
    [400, 'hub.server', 'the hub rejects the request'],
    [404, 'hub.missing', 'no such repository or revision'],
    [403, 'hub.denied', 'the token may not write here'],
    [401, 'hub.denied', 'the token is not accepted'],
    [429, 'hub.busy', 'the hub asks to slow down'],
    [500, 'hub.server', 'the hub is in trouble'],
    [412, 'hub.conflict', 'somebody else changed it at the same time'],
  ])('by a commit that is answered %i', async (status, code, words) => {
    const here = await place([tinyModel()])
    here.hub.fail({
      on: isCommit,
      how: { kind: 'status', status, headers: { 'x-error-message': `you sent ${here.hub.token}` } },
    })
    const fault = await faultOf(pushed('org/tiny', await folderOf({ 'a.txt': 'a' }), { settings: here.settings }))
    expect(fault?.code).toBe(code)
    expect(fault?.message).toContain(words)
    expect(fault?.hint).toBeDefined()
    expect(`${fault?.message}${fault?.hint}`).not.toContain(here.hub.token)
  })

  test('by a store that takes nothing so large, before it was sent to the end', async () => {
    const here = await place()
    const long = Buffer.concat([new Uint8Array(8), noise(8_000_000, 5)])
    here.hub.fail({ on: isStore, how: { kind: 'early-status', status: 413 } })
    expect(await codeOf(pushed('org/new', await folderOf({ 'w.bin': long }), { settings: here.settings }))).toBe(
      'hub.limit',
    )
    const [sent, ...more] = here.hub.requests.filter(isStore)
    expect(more).toEqual([])
    expect(sent?.received).toBeLessThan(long.byteLength)
  })

  test('with a model card whose metadata are broken, before anything large is sent', async () => {
    const here = await place([tinyModel()])
    const fault = await faultOf(
      pushed('org/tiny', await folderOf({ 'README.md': '---\nlicense: mit\n', 'w.bin': weights }), {
        settings: here.settings,
      }),
    )
    expect([fault?.code, fault?.parts.seen]).toEqual(['format.yaml', 'the metadata block has no end'])
    expect(here.uploads.arrivals).toEqual([])
  })

  test.each([
    ['an empty folder', {}, {}, 'usage.value', 'the folder holds no file'],
    [
      'a folder of which nothing is chosen',
      { 'a.txt': 'a' },
      { include: ['*.bin'] },
      'usage.value',
      'no file of the folder is chosen',
    ],
    [
      'a path that leads out',
      { 'a.txt': 'a' },
      { pathInRepo: '../up' },
      'file.outside',
      'the path leads out of its folder',
    ],
    [
      'a path that is too long',
      { 'a.txt': 'a' },
      { pathInRepo: 'x/'.repeat(3000) },
      'file.outside',
      'the path is too long',
    ],
    [
      'a path with a part that is too long',
      { 'a.txt': 'a' },
      { pathInRepo: 'x'.repeat(300) },
      'file.outside',
      'a part of the path is too long',
    ],
    [
      'a path into .git',
      { 'a.txt': 'a' },
      { pathInRepo: 'sub/.git' },
      'file.outside',
      'the hub accepts no file under this name',
    ],
    ['a commit as the branch', { 'a.txt': 'a' }, { revision: commit }, 'usage.value', 'a commit cannot be changed'],
    [
      'a pull request against another branch',
      { 'a.txt': 'a' },
      { createPr: true, revision: 'x' },
      'usage.conflict',
      'must target main',
    ],
  ] as const)('of %s', async (_, files, options, code, words) => {
    const here = await place([tinyModel()])
    const fault = await faultOf(planPush('org/tiny', await folderOf(files), { settings: here.settings, ...options }))
    expect(fault?.code).toBe(code)
    expect(fault?.message).toContain(words)
    expect(here.hub.requests).toEqual([])
  })

  test('of a folder that is not there, or has a name no file can have', async () => {
    const here = await place([tinyModel()])
    expect(await codeOf(planPush('org/tiny', './nowhere', { settings: here.settings }))).toBe('file.missing')
    expect(await codeOf(planPush('org/tiny', 'x'.repeat(5000), { settings: here.settings }))).toBe('file.missing')
    expect(await codeOf(planPush('org/tiny', undefined, { settings: here.settings }))).toBe('usage.value')
    expect(await codeOf(planPush('not a name', await folderOf(model), { settings: here.settings }))).toBe('hub.name')
  })

  test.each(['file', 'folder', 'loop', 'nowhere'])('of a folder with a link out of it: %s', async (kind) => {
    const here = await place([tinyModel()])
    const folder = await folderOf({ 'a.txt': 'a', 'in/b.txt': 'b' })
    const outside = await folderOf({ 'secret.txt': 's' })
    const target = { file: join(outside, 'secret.txt'), folder: outside, loop: '..', nowhere: 'gone.txt' }[kind] ?? ''
    await symlink(target, join(folder, 'in', 'link'))
    expect(await codeOf(planPush('org/tiny', folder, { settings: here.settings }))).toBe(
      kind === 'nowhere' ? 'file.missing' : 'file.outside',
    )
  })

  test('but links inside the folder are followed', async () => {
    const here = await place()
    const folder = await folderOf({ 'a.txt': 'a', 'in/b.txt': 'b' })
    await symlink('../a.txt', join(folder, 'in', 'c.txt'))
    await symlink('in', join(folder, 'out'))
    const { files } = await planPush('org/new', folder, { settings: here.settings })
    expect(files.map(({ path }) => path)).toEqual(['a.txt', 'in/b.txt', 'in/c.txt', 'out/b.txt', 'out/c.txt'])
  })
})
