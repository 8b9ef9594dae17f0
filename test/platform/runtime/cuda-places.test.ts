import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cudaHome, enginePackage } from '#platform/runtime'
import { cudaFiles, findCuda } from '../../../src/platform/runtime/cuda-places.ts'

let cache: string
let env: Record<string, string>

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'strata-cuda-'))
  env = { STRATA_CACHE: cache }
})
afterEach(() => rm(cache, { recursive: true }))

const refusal = (): unknown => {
  try {
    return findCuda(env)
  } catch (error) {
    return error
  }
}

test('the package has a binding for this platform, and a version', () => {
  const { version, binding } = enginePackage()
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(existsSync(binding)).toBe(true)
})

test('libraries that are not there are asked for with the command that fetches them', () => {
  expect(refusal()).toMatchObject({
    code: 'engine.device',
    parts: { place: 'cuda', seen: expect.stringContaining(cache), hint: expect.stringContaining('--install cuda') },
  })
})

test('a folder that lacks a library is refused with its name, and a complete one is found', async () => {
  const folder = join(cudaHome(env), enginePackage().version)
  await mkdir(folder, { recursive: true })
  const { others, ...named } = cudaFiles
  const files = [...Object.values(named), ...others]
  for (const file of files.slice(1)) await writeFile(join(folder, file), '')
  expect(refusal()).toMatchObject({ code: 'engine.device', parts: { place: folder, seen: [files[0]] } })
  await writeFile(join(folder, files[0] ?? ''), '')
  expect(findCuda(env)).toBe(folder)
})

test('the new name of the library is as long as its own', () => {
  expect(cudaFiles.library.length).toBe('libonnxruntime.so.1'.length)
})
