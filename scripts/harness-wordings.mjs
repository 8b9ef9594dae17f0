// Fingerprints of the functions that have ports: node scripts/harness-wordings.mjs FOLDER, the tasks of lm-evaluation-harness 0.4.13. Build first.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
const dist = join(import.meta.dirname, '..', 'dist', 'task', 'harness')
const { wordingInFile } = await import(join(dist, 'ports', 'find-port.js'))
const { ports, shapes, worded } = await import(join(dist, 'ports', 'table.js'))
const rows = [...Object.keys(ports), ...Object.keys(worded), ...Object.keys(shapes)].sort().map((key) => {
  const [file, name] = key.split('#')
  const wording = wordingInFile({ file: join(folder, file), name })
  if (wording === undefined) throw new Error(`${key}: no such function in ${folder}`)
  return `  '${key}': { exact: '${wording.exact}', shape: '${wording.shape}' },\n`
})
const out = join(import.meta.dirname, '..', 'src', 'task', 'harness', 'ports', 'wordings.ts')
const text = readFileSync(out, 'utf8')
writeFileSync(out, `${text.slice(0, text.indexOf('= {') + 3)}\n${rows.join('')}}\n`)
