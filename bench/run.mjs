// Builds Strata and the benches, then runs one: node bench/run.mjs NAME [flags]. Node 20 runs no TypeScript, so the compiled files lie in bench/.scratch/js.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
const [name, ...flags] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  console.error(`node bench/run.mjs ${names.join('|')} [flags]`)
  process.exit(2)
}
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
for (const project of ['tsconfig.build.json', 'tsconfig.bench.json'])
  spawnSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' })
const script = join(import.meta.dirname, '.scratch', 'js', 'bench', `${name}.js`)
if (!existsSync(script)) throw new Error(`${script} was not built`)
const { status } = spawnSync(process.execPath, [script, ...flags], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
