// Builds Strata and the benches, then runs one of bench/ or oracles/parity/: node bench/run.mjs NAME [flags]. Node 20 runs no TypeScript, so the compiled files lie in bench/.scratch/js.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeShipped } from '../scripts/bundle.mjs'

const root = join(import.meta.dirname, '..')
const folders = ['bench', join('oracles', 'parity')]
const places = new Map(
  folders.flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((file) => (file.endsWith('.ts') ? [[file.slice(0, -3), folder]] : [])),
  ),
)
const [name, ...flags] = process.argv.slice(2)
if (name === undefined || !places.has(name)) {
  console.error(`node bench/run.mjs ${[...places.keys()].join('|')} [flags]`)
  process.exit(2)
}
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
for (const project of ['tsconfig.build.json', 'tsconfig.bench.json'])
  spawnSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' })
await writeShipped()
const script = join(import.meta.dirname, '.scratch', 'js', places.get(name), `${name}.js`)
if (!existsSync(script)) throw new Error(`${script} was not built`)
const { status } = spawnSync(process.execPath, [script, ...flags], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
