/** The program itself: pushed, killed, pushed again; pulled back. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { pythonRandom } from '#platform/random'
import { strata } from '../../cli/program.ts'
import { noise, scene, scratch } from './scene.ts'
import type { Hub, SeenRequest } from './server.ts'
import { takeUploads, type Uploads } from './upload-server.ts'

const binary = (length: number, seed: number): Uint8Array => Buffer.concat([new Uint8Array(8), noise(length, seed)])
const model: Record<string, string | Uint8Array> = {
  'config.json': '{}',
  'a.safetensors': binary(900_000, 1),
  'b.safetensors': binary(500_000, 2),
}
const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
const isStore = ({ host, method }: SeenRequest): boolean => host === 'store' && method === 'PUT'
const isCommit = ({ path }: SeenRequest): boolean => path.includes('/commit/')

let hub: Hub
let uploads: Uploads
let folder: string
let env: Record<string, string>

beforeEach(async () => {
  uploads = takeUploads({ partLength: 200_000 })
  const made = await scene([], { extension: uploads.extension })
  hub = made.hub
  const home = await scratch()
  folder = join(home, 'model')
  for (const [path, content] of Object.entries(model)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  env = {
    HF_ENDPOINT: hub.endpoint,
    HF_TOKEN: hub.token,
    HF_HOME: join(home, 'hf'),
    HF_HUB_OFFLINE: '',
    STRATA_CACHE: join(home, 'strata'),
    NO_PROXY: '*',
  }
})

async function pulledBack(name: string): Promise<Record<string, string>> {
  const local = join(await scratch(), 'back')
  const { code, stdout, stderr } = await strata(
    ['pull', name, '--local-dir', local, '--exclude', '.gitattributes', '--json', '--quiet'],
    { env },
  )
  if (code !== 0) throw new Error(stderr)
  const { files } = JSON.parse(stdout) as { files: { path: string }[] }
  return Object.fromEntries(
    await Promise.all(files.map(async ({ path }) => [path, sha256(await readFile(join(local, path)))] as const)),
  )
}

const expected = Object.fromEntries(Object.entries(model).map(([path, content]) => [path, sha256(content)]))

describe('strata push, killed with SIGKILL', () => {
  const random = pythonRandom(11)
  const moments = Array.from({ length: 3 }, () => Math.floor(random.random() * 1_400_000))

  test.each([1, ...moments])(
    'when %i bytes of large files have come in: the next one sends the rest',
    async (bytes) => {
      const received = (): number => hub.requests.filter(isStore).reduce((sum, request) => sum + request.received, 0)
      // slow enough for the moment to be met: whoever is over it is not read any further
      hub.fail({
        on: (request) => isStore(request) && received() + 200_000 > bytes,
        how: { kind: 'deaf', after: Math.max(1, bytes % 200_000) },
      })
      const killed = await strata(['push', 'org/m', folder, '--quiet'], { env, killWhen: () => received() >= bytes })
      expect(killed.signal).toBe('SIGKILL')
      expect(uploads.messages).toEqual([])
      hub.heal()
      const whole = new Set(uploads.arrivals)
      const second = await strata(['push', 'org/m', folder, '--quiet', '--json'], { env })
      expect(second.stderr).toBe('')
      expect(second.code).toBe(0)
      // a part comes again only if the killed process had no time to write down that it was there: two lines for each
      // of two objects
      expect(new Set(uploads.arrivals).size).toBe(8)
      expect(uploads.arrivals.length - 8).toBeLessThanOrEqual(Math.min(4, whole.size))
      expect(uploads.messages).toHaveLength(1)
      expect(await pulledBack('org/m')).toEqual(expected)
    },
  )

  test('between the last byte and the commit: the next one only commits', async () => {
    hub.fail({ on: isCommit, how: { kind: 'silence', until: new Promise(() => undefined) } })
    const killed = await strata(['push', 'org/m', folder, '--quiet'], {
      env,
      killWhen: () => hub.requests.some(isCommit),
    })
    expect(killed.signal).toBe('SIGKILL')
    hub.heal()
    const before = uploads.arrivals.length
    const { code, stdout } = await strata(['push', 'org/m', folder, '--quiet'], { env })
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^${hub.endpoint}/org/m/commit/[0-9a-f]{40}\n$`))
    expect(uploads.arrivals).toHaveLength(before)
    expect(await pulledBack('org/m')).toEqual(expected)
  })
})

describe('the program', () => {
  test('pushes, says what it did, and has nothing to do the second time', async () => {
    const first = await strata(['push', 'org/m', folder, '--commit-message', 'One'], { env })
    expect([first.code, first.stderr]).toEqual([
      0,
      'committed to org/m: 3 new, 0 already there, 0 unchanged; 1.4 MB sent\n',
    ])
    const second = await strata(['push', 'org/m', folder], { env })
    expect([second.code, second.stderr, second.stdout]).toEqual([
      0,
      'nothing to commit: 0 new, 0 already there, 3 unchanged; 0 B sent\n',
      first.stdout,
    ])
    expect(uploads.messages).toEqual(['One'])
  })

  test('plans a push and does nothing', async () => {
    const { code, stdout } = await strata(['push', 'org/m', folder, '--dry-run', '--private'], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('org/m@main (model, will be made, private)')
    expect(stdout).toContain('a.safetensors  900.0 kB')
    expect(hub.requests.every(({ method }) => method === 'GET')).toBe(true)
    const plan = await strata(['push', 'org/m', folder, '--dry-run', '--json'], { env })
    expect(JSON.parse(plan.stdout)).toMatchObject({
      repo: 'org/m',
      exists: false,
      files: [{ path: 'a.safetensors', size: 900_008 }, {}, {}],
      bytes: 1_400_018,
    })
  })

  test('refuses a merge that is not finished, with exit code 2', async () => {
    await writeFile(join(folder, 'journal.jsonl'), '{"merge":"0123"}\n')
    const { code, stderr } = await strata(['push', 'org/m', folder], { env })
    expect([code, stderr.split('  ')[0]]).toEqual([2, 'error usage.conflict'])
    expect(hub.requests).toEqual([])
    await writeFile(join(folder, 'journal.jsonl'), '{"day":1}\n')
    expect((await strata(['push', 'org/m', folder, '--quiet'], { env })).code).toBe(0)
  })

  test('pulls and prints where', async () => {
    await strata(['push', 'org/m', folder, '--quiet'], { env })
    const all = await strata(['pull', 'org/m', '--quiet'], { env })
    expect(all.stdout.trim()).toMatch(/\/hf\/hub\/models--org--m\/snapshots\/[0-9a-f]{40}$/)
    const one = await strata(['pull', 'org/m@main', 'config.json'], { env })
    expect(await readFile(one.stdout.trim(), 'utf8')).toBe('{}')
    const plan = await strata(['pull', 'org/m', '--dry-run', '--force-download', '--json'], { env })
    expect(JSON.parse(plan.stdout)).toMatchObject({
      repo: 'org/m',
      downloadBytes: 1_400_018 + '*.safetensors filter=lfs\n'.length,
    })
  })

  test.each([
    [['push', 'org/m'], 2, 'usage.value'],
    [['push', 'org/m', '.', '--repo-type', 'space'], 2, 'Allowed choices are model, dataset'],
    [['push', 'org/m', '.', '--comit-message', 'x'], 2, 'Did you mean --commit-message?'],
    [['push', 'org/m@a', '.', '--revision', 'b'], 2, 'usage.conflict'],
    [['push', 'org/m', 'package.json', '--token', 'wrong'], 1, 'hub.denied'],
    [['pull', 'org/none'], 1, 'hub.missing'],
  ])('%j ends with %i', async (args, expectedCode, words) => {
    const { code, stderr } = await strata(args, { env })
    expect([code, stderr.includes(words)]).toEqual([expectedCode, true])
  })
})
