import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => void vi.unstubAllEnvs())

async function found(): Promise<string | undefined> {
  vi.resetModules()
  return (await import('./shared.ts')).shared
}

test('a named folder that is not there, or holds something else, is an error', async () => {
  for (const folder of ['/nowhere', '', import.meta.dirname]) {
    vi.stubEnv('STRATA_SHARED', folder)
    await expect(found()).rejects.toThrow(`STRATA_SHARED=${folder} holds no models/pico`)
  }
})

test('without a name the folder beside the repository is taken if it is there', async () => {
  vi.stubEnv('STRATA_SHARED', undefined)
  expect([undefined, join(import.meta.dirname, '..', '..', 'shared')]).toContain(await found())
})
