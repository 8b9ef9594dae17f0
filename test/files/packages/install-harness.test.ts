import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { harnessRelease, installHarness } from '#files/packages'
import { scratchFolder } from '../../scratch.ts'
import { zip } from '../formats/made-files.ts'

const { path } = scratchFolder()
const file = 'lm_eval-0-py3-none-any.whl'
const bytes = zip([
  { name: 'lm_eval/tasks/toy/toy.yaml', bytes: Buffer.from('task: toy'), deflate: true },
  { name: 'lm_eval/tasks/toy/_shared_yaml', bytes: Buffer.from('a: 1') },
  { name: 'lm_eval/tasks/toy/utils.py', bytes: Buffer.from('def f(): pass') },
  { name: 'lm_eval/tasks/toy/README.md', bytes: Buffer.from('not wanted') },
  { name: 'lm_eval/models/huggingface.py', bytes: Buffer.from('not wanted') },
  { name: 'lm_eval/tasks/__init__.py', bytes: Buffer.from('not wanted') },
])
const sha256 = createHash('sha256').update(bytes).digest('hex')
let server: Server
let index: string

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/simple/lm-eval/')
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="../../files/${file}">it</a>`)
    else if (url === `/files/${file}`) response.writeHead(200).end(bytes)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  index = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`
})
afterAll(async () => new Promise((resolve) => server.close(resolve)))

test('task files, and what they name, where runs look for them; nothing else; once', async () => {
  const install = async () => installHarness(path('home'), { index, wheel: { file, sha256 } })
  expect(await install()).toEqual({ folder: path(`home/${harnessRelease}`), version: harnessRelease, fetched: true })
  const tasks = path(`home/${harnessRelease}/lm_eval/tasks`)
  expect(readdirSync(tasks)).toEqual(['toy'])
  expect(readdirSync(join(tasks, 'toy'))).toEqual(['_shared_yaml', 'toy.yaml', 'utils.py'])
  expect(readFileSync(join(tasks, 'toy/toy.yaml'), 'utf8')).toBe('task: toy')
  expect(await install()).toMatchObject({ fetched: false })
})

test('other bytes than those of the release are refused, and leave nothing', async () => {
  const wrong = installHarness(path('other'), { index, wheel: { file, sha256: sha256.replace(/^./, '_') } })
  await expect(wrong).rejects.toMatchObject({ code: 'hub.integrity' })
  expect(readdirSync(path('other'))).toEqual([])
})
