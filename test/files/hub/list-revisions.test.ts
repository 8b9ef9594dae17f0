import { expect, test } from 'vitest'
import { listRevisions, openRepo } from '#files/hub'
import { codeOf, commit, older, scene, settingsFor, tinyModel } from './scene.ts'

const trained = {
  ...tinyModel(),
  refs: { main: commit, step1: older, step1000: commit, 'v1.0': older, 'refs/pr/1': older },
}

test('branches and tags, no pull requests, in the hub’s order', async () => {
  const { settings, hub } = await scene([trained])
  expect(await listRevisions('org/tiny', { settings })).toEqual(['main', 'step1', 'step1000', 'v1.0'])
  expect(hub.take().map(({ path }) => path)).toEqual(['/api/models/org/tiny/refs'])
})

test('offline those that were asked for here', async () => {
  const { settings, hub, cacheFolder } = await scene([trained])
  const offline = settingsFor(hub, cacheFolder, { HF_HUB_OFFLINE: '1' })
  expect(await codeOf(listRevisions('org/tiny', { settings: offline }))).toBe('hub.offline')
  for (const revision of ['main', 'step1000'])
    await (await openRepo(`org/tiny@${revision}`, { settings })).local('config.json')
  hub.take()
  expect([...(await listRevisions('org/tiny', { settings: offline }))].sort()).toEqual(['main', 'step1000'])
  expect(hub.take()).toEqual([])
})

test('a repository that is not there is the hub’s fault', async () => {
  const { settings } = await scene([trained])
  expect(await codeOf(listRevisions('org/none', { settings }))).toBe('hub.missing')
})
