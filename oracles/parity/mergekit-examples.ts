/**
 * Every recipe of a folder read: mergekit's own examples, from a checkout that is never part of this repository.
 *
 *   node bench/run.mjs mergekit-examples --folder FOLDER
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flag } from '../../bench/lib/flags.ts'
import { parseRecipes } from '../../bench/lib/strata.ts'

const folder = flag('folder', '')
const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.ya?ml$/.test(name)) : []
if (files.length === 0) console.log(`no recipes in ${folder === '' ? '(no --folder)' : folder}: 0 read, skipped`)
let failed = 0
for (const name of files) {
  try {
    const recipes = parseRecipes(readFileSync(join(folder, name), 'utf8'), name)
    console.log(`${name}: ${recipes.map(({ method }) => method).join(', ')}`)
  } catch (error) {
    failed++
    console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
if (files.length > 0) console.log(`${files.length - failed} of ${files.length} read`)
process.exitCode = failed > 0 ? 1 : 0
