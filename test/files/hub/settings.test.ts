import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { inspect } from 'node:util'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hubSettings } from '#files/hub'
import { scratch } from './scene.ts'

describe('hubSettings', () => {
  test('without an environment it is the public hub and the usual cache', () => {
    const settings = hubSettings({})
    expect(settings.endpoint).toBe('https://huggingface.co')
    expect(settings.cacheFolder).toBe(join(homedir(), '.cache/huggingface/hub'))
    expect(settings.offline).toBe(false)
  })

  test.each([
    [{ HF_HOME: '/a' }, '/a/hub'],
    [{ XDG_CACHE_HOME: '/x' }, '/x/huggingface/hub'],
    [{ XDG_CACHE_HOME: '/x', HF_HOME: '/a' }, '/a/hub'],
    [{ HF_HOME: '/a', HUGGINGFACE_HUB_CACHE: '/old' }, '/old'],
    [{ HF_HOME: '/a', HUGGINGFACE_HUB_CACHE: '/old', HF_HUB_CACHE: '/new' }, '/new'],
    [{ HF_HOME: '~/mine' }, join(homedir(), 'mine/hub')],
    [{ HF_HOME: '$BASE/${SUB}/$NONE', BASE: '/b', SUB: 's' }, '/b/s/$NONE/hub'],
    [{ HF_HOME: '', HF_HUB_CACHE: '' }, join(homedir(), '.cache/huggingface/hub')],
  ])('%j puts the cache at %s', (env, cacheFolder) => {
    expect(hubSettings(env).cacheFolder).toBe(cacheFolder)
  })

  test.each([
    [{ HF_HUB_OFFLINE: '1' }, true],
    [{ HF_HUB_OFFLINE: 'true' }, true],
    [{ HF_HUB_OFFLINE: 'ON' }, true],
    [{ HF_HUB_OFFLINE: '0' }, false],
    [{ HF_HUB_OFFLINE: '' }, false],
    [{ TRANSFORMERS_OFFLINE: 'yes' }, true],
    [{ HF_HUB_OFFLINE: '0', TRANSFORMERS_OFFLINE: '1' }, false], // the first that is set decides, as in huggingface_hub
  ])('%j: offline is %s', (env, offline) => {
    expect(hubSettings(env).offline).toBe(offline)
  })

  test('an endpoint loses its last slash, and one that is no address is refused without being shown', () => {
    expect(hubSettings({ HF_ENDPOINT: 'https://mirror.example/hf//' }).endpoint).toBe('https://mirror.example/hf')
    for (const endpoint of [
      'mirror.example',
      'ftp://mirror.example',
      'https://user:secret@mirror.example',
      'https://mirror.example?x=1',
    ]) {
      expect(() => hubSettings({ HF_ENDPOINT: endpoint })).toThrow(
        expect.objectContaining({ code: 'usage.value', message: expect.not.stringContaining('secret') }),
      )
    }
  })

  test('time limits are those of huggingface_hub', () => {
    expect(hubSettings({ HF_HUB_ETAG_TIMEOUT: '3', HF_HUB_DOWNLOAD_TIMEOUT: '40' }).patience).toMatchObject({
      answerSeconds: 3,
      stallSeconds: 40,
    })
    expect(hubSettings({ HF_HUB_ETAG_TIMEOUT: 'soon' }).patience).toMatchObject({ answerSeconds: 10, stallSeconds: 10 })
  })
})

describe('the token', () => {
  test('comes from HF_TOKEN, its older name, or a token file, in this order', async () => {
    const home = await scratch()
    const elsewhere = join(home, 'my-token')
    await writeFile(join(home, 'token'), 'hf_file\n')
    await writeFile(elsewhere, '  hf_elsewhere  ')
    expect(hubSettings({ HF_HOME: home, HUGGING_FACE_HUB_TOKEN: 'hf_old', HF_TOKEN: ' hf_new\n' }).token()).toBe(
      'hf_new',
    )
    expect(hubSettings({ HF_HOME: home, HUGGING_FACE_HUB_TOKEN: 'hf_old' }).token()).toBe('hf_old')
    expect(hubSettings({ HF_HOME: home }).token()).toBe('hf_file')
    expect(hubSettings({ HF_HOME: home, HF_TOKEN_PATH: elsewhere }).token()).toBe('hf_elsewhere')
    expect(hubSettings({ HF_HOME: join(home, 'none') }).token()).toBeUndefined()
  })

  test('is not used when implicit tokens are switched off', () => {
    expect(hubSettings({ HF_TOKEN: 'hf_new', HF_HUB_DISABLE_IMPLICIT_TOKEN: '1' }).token()).toBeUndefined()
  })

  test('does not show when settings are printed', () => {
    const settings = hubSettings({ HF_TOKEN: 'hf_secret' })
    settings.token()
    expect(JSON.stringify(settings) + inspect(settings, { depth: 9, showHidden: true })).not.toContain('hf_secret')
  })

  test('is refused, unseen, when it could not be a header', async () => {
    const home = await scratch()
    await mkdir(join(home, 'sub'))
    for (const token of ['hf_a\nb', 'hf_ä', 'hf_a b']) {
      expect(() => hubSettings({ HF_HOME: home, HF_TOKEN: token }).token()).toThrow(
        expect.objectContaining({ code: 'usage.value', message: expect.not.stringContaining('hf_') }),
      )
    }
  })
})
