// The part of NOTICE about packages: what npm installs with the program, by licence, from the lock file.
import { readFileSync } from 'node:fs'

const [begin, end] = ['<!-- packages: made by scripts/generate.mjs from package-lock.json -->', '<!-- /packages -->']

export function notice() {
  const text = readFileSync('NOTICE', 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error('NOTICE has no place for the packages')
  return `${text.slice(0, from)}${begin}\n\n${packages()}\n\n${text.slice(to)}`
}

function packages() {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const byLicence = new Map()
  for (const [path, { dev, optional, os, version, license }] of Object.entries(lock)) {
    // builds of one package for other systems have its licence
    if (path === '' || dev || (optional && os !== undefined)) continue
    const name = path.replace(/.*node_modules\//, '')
    if (license === undefined) throw new Error(`${name} ${version} names no licence in package-lock.json`)
    byLicence.set(license, (byLicence.get(license) ?? new Set()).add(`${name} ${version}`))
  }
  return [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, names]) => wrapped(`${licence}: ${[...names].sort((a, b) => (a < b ? -1 : 1)).join(', ')}.`))
    .join('\n')
}

/** Lines of at most 150 characters. */
function wrapped(text) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line.length + word.length + 1 > 150) lines.push(`  ${word}`)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
