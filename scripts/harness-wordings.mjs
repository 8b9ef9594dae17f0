// Fingerprints of the functions that have ports: node scripts/harness-wordings.mjs FOLDER, the tasks of lm-evaluation-harness 0.4.13. Build first.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
const dist = join(import.meta.dirname, '..', 'dist', 'task', 'harness')
const { functionWording } = await import(join(dist, 'config', 'python-source.js'))
const { ports, shapes } = await import(join(dist, 'ports', 'table.js'))
const rows = [...Object.keys(ports), ...Object.keys(shapes)].sort().map((key) => {
  const [file, name] = key.split('#')
  const path = join(folder, file)
  const wording = existsSync(path) ? functionWording(readFileSync(path, 'utf8'), name) : undefined
  if (wording === undefined) throw new Error(`${key}: no such function in ${folder}`)
  return `  '${key}': { exact: '${wording.exact}', shape: '${wording.shape}' },\n`
})
const out = join(import.meta.dirname, '..', 'src', 'task', 'harness', 'ports', 'wordings.ts')
const text = readFileSync(out, 'utf8')
writeFileSync(out, `${text.slice(0, text.indexOf('= {') + 3)}\n${rows.join('')}}\n`)
