import { expect, test } from 'vitest'
import { openRepo, prefetch } from '#files/hub'
import { commit, faultOf, noise, scene, settingsFor, tinyModel } from './scene.ts'

const weights = noise(1_000, 7)

test('a hub that cannot be reached: which model or data set it was for, and what of it is cached', async () => {
  const { hub, settings } = await scene([tinyModel(weights), tinyModel(weights, { type: 'dataset' })])
  const cached = await openRepo('org/tiny', { settings })
  await prefetch(cached, ['config.json', '1_Pooling/config.json'])
  await hub.close()
  const { host } = new URL(hub.endpoint)
  const hint = 'check the connection and HF_ENDPOINT; set HF_HUB_OFFLINE=1 to work from the cache'

  const nothing = { code: 'hub.network', hint: `nothing of it is cached; ${hint}` }
  const message = (title: string): string => `${title} (${host}): the connection failed – ECONNREFUSED`
  expect(await faultOf(openRepo('org/other', { settings }))).toMatchObject({
    ...nothing,
    message: message('model org/other'),
  })
  expect(await faultOf(openRepo('org/tiny', { settings, type: 'dataset' }))).toMatchObject({
    ...nothing,
    message: message('data set org/tiny'),
  })

  const some = {
    code: 'hub.network',
    hint: `files of it that are cached: 2 of ${commit.slice(0, 7)}; ${hint}`,
    message: message('model org/tiny'),
  }
  expect(await faultOf(openRepo('org/tiny', { settings, revision: 'v2' }))).toMatchObject(some)
  expect(await faultOf(cached.local('model.safetensors'))).toMatchObject(some)
})

test('the network off: the same', async () => {
  const { hub, settings, cacheFolder } = await scene([tinyModel(weights)])
  await prefetch(await openRepo('org/tiny', { settings }), ['config.json'])
  const offline = settingsFor(hub, cacheFolder, { HF_HUB_OFFLINE: '1' })
  const what = 'not in the cache, and the network is off (HF_HUB_OFFLINE)'
  const hint = 'run once without HF_HUB_OFFLINE, or point HF_HOME or HF_HUB_CACHE at a cache that has it'
  expect(await faultOf(openRepo('org/tiny', { settings: offline, type: 'dataset' }))).toMatchObject({
    code: 'hub.offline',
    message: expect.stringContaining(`data set org/tiny@main: ${what}`) as string,
    hint: `nothing of it is cached; ${hint}`,
  })
  const files = await openRepo('org/tiny', { settings: offline })
  expect(await faultOf(files.local('model.safetensors'))).toMatchObject({
    code: 'hub.offline',
    message: expect.stringContaining(`model org/tiny@${commit} › model.safetensors: ${what}`) as string,
    hint: `files of it that are cached: 1 of ${commit.slice(0, 7)}; ${hint}`,
  })
})
