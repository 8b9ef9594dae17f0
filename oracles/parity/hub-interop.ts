/**
 * Does the hub of the tests speak the real protocol? huggingface_hub uploads to it and downloads from it, next to
 * Strata: what one pushes the other pulls, with the same hashes. node bench/run.mjs hub-interop --python PATH [--python
 * PATH …]
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { peers, python as usual } from '../../bench/lib/places.ts'
import { hubSettings, openPull, planPush, push } from '../../bench/lib/strata.ts'
import { startHub } from '../../test/files/hub/server.ts'
import { takeUploads } from '../../test/files/hub/upload-server.ts'

const flags = process.argv.slice(2)
const given = flags.flatMap((flag, index) => (flags[index - 1] === '--python' ? [flag] : []))
const pythons = given.length > 0 ? given : [usual]
const peer = join(peers, 'python', 'hub_interop.py')

function run(command: string, args: string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`${command} ended with ${code}`))))
  })
}

async function hashesIn(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const path of (await readdir(folder, { recursive: true })).sort()) {
    if (path.startsWith('.cache') || path === '.gitattributes' || !(await stat(join(folder, path))).isFile()) continue
    found[path] = createHash('sha256')
      .update(await readFile(join(folder, path)))
      .digest('hex')
  }
  return found
}

function same(what: string, a: Record<string, string>, b: Record<string, string>): void {
  if (JSON.stringify(a) !== JSON.stringify(b))
    throw new Error(`${what}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`)
  console.log(`ok  ${what}: ${Object.keys(a).length} files`)
}

const work = await mkdtemp(join(tmpdir(), 'strata-interop-'))
const source = join(work, 'source')
await mkdir(join(source, 'nested'), { recursive: true })
const bytes = Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 2654435761) >>> 16)
await writeFile(join(source, 'model.safetensors'), bytes)
await writeFile(join(source, 'nested', 'part.bin'), bytes.subarray(0, 90_000))
await writeFile(join(source, 'config.json'), '{"model_type":"bert"}')
await writeFile(join(source, 'README.md'), '---\nlicense: mit\n---\n# a model\n')
await writeFile(join(source, 'empty.txt'), '')
const original = await hashesIn(source)

for (const partLength of [Infinity, 1_000_000]) {
  for (const python of pythons) {
    const uploads = takeUploads({ partLength })
    const hub = await startHub([], { extension: uploads.extension })
    const home = await mkdtemp(join(work, 'home-'))
    const env = {
      HF_ENDPOINT: hub.endpoint,
      HF_TOKEN: hub.token,
      HF_HOME: home,
      HF_HUB_DISABLE_XET: '1',
      HF_HUB_OFFLINE: '0',
      NO_PROXY: '*',
    }
    const settings = hubSettings(env)
    const name = `${partLength === Infinity ? 'basic' : 'multipart'} transfer`
    try {
      const version = (await run(python, [peer, 'upload', 'org/by-python', source], env)).trim()
      const ours = join(home, 'ours')
      const pull = await openPull('org/by-python', { settings, localDir: ours })
      await pull.run()
      same(`${name}: huggingface_hub ${version} uploads, Strata pulls`, await hashesIn(ours), original)

      await push(await planPush('org/by-strata', source, { settings }), { settings })
      const theirs = join(home, 'theirs')
      await run(python, [peer, 'download', 'org/by-strata', theirs], env)
      same(`${name}: Strata pushes, huggingface_hub ${version} downloads`, await hashesIn(theirs), original)

      const sent = uploads.arrivals.length
      const commits = uploads.messages.length
      await run(python, [peer, 'upload', 'org/by-strata', source], env)
      const again = await push(await planPush('org/by-python', source, { settings }), { settings })
      if (uploads.arrivals.length !== sent || uploads.messages.length !== commits || !again.unchanged)
        throw new Error('what was there was sent again')
      console.log(`ok  ${name}: neither sends or commits again what the other brought`)

      // each takes the other's records of a local folder for its own
      hub.take()
      await run(python, [peer, 'download', 'org/by-strata', theirs], env)
      await (await openPull('org/by-strata', { settings, localDir: theirs })).run()
      await run(python, [peer, 'download', 'org/by-python', ours], env)
      const fetched = hub
        .take()
        .filter(({ method, path }) => method === 'GET' && (path.includes('/resolve/') || path.startsWith('/objects/')))
      if (fetched.length > 0) throw new Error(`fetched again: ${fetched.map(({ path }) => path).join(' ')}`)
      console.log(`ok  ${name}: neither fetches again what the other put into a folder`)
    } finally {
      await hub.close()
    }
  }
}
await rm(work, { recursive: true, force: true })
