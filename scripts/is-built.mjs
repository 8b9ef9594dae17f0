// Whether `dist` was built after every source was last changed. A build leaves a stamp, whose time counts.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** Of `npm run build`. */
export const wholeStamp = join('.cache', 'build', 'whole')
/** Of the build before tests, which leaves the checks to the check of types and alone what did not change. */
export const testStamp = join('.cache', 'build', 'tested')
const settings = ['package.json', 'tsconfig.json', 'tsconfig.build.json']

/** By one of these builds. */
export function isBuilt(stamps = [wholeStamp, testStamp]) {
  if (!existsSync(join(root, 'dist', 'index.js'))) return false
  const built = Math.max(...stamps.map(timeOf))
  const sources = readdirSync(join(root, 'src'), { recursive: true }).filter((path) => path.endsWith('.ts'))
  return [...settings, ...sources.map((path) => join('src', path))].every((path) => timeOf(path) < built)
}

function timeOf(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
