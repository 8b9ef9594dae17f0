// Makes src/experiment/locales/languages.json: features of the languages of MASSIVE's 52 locales from URIEL (lang2vec; CC BY-SA 4.0, see NOTICE), from
// the shared folder. A feature is a digit, its value in twelfths to the base 16: 0, 3, 4, 6, 8, 9, c; - where it is unknown. node scripts/uriel.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const shared = process.env.STRATA_SHARED ?? join(root, '..', 'shared')
const { features, locales } = JSON.parse(
  readFileSync(join(shared, 'data', 'uriel', 'massive_locales_features.json'), 'utf8'),
)
const sets = { syntax: 'S_', phonology: 'P_', inventory: 'INV_' }

const digits = (values, prefix) =>
  values.flatMap((value, i) => (features[i].startsWith(prefix) ? [digit(value)] : [])).join('')

function digit(value) {
  if (value === null) return '-'
  const twelfths = Math.round(12 * value)
  if (Math.abs(twelfths / 12 - value) > 1e-4) throw new Error(`${value} is no number of twelfths`)
  return twelfths.toString(16)
}

const lines = Object.entries(locales).map(([locale, { iso639_3: language, knn, average, fam }]) => {
  const rows = Object.entries(sets).flatMap(([name, prefix]) => [
    [`${name}_knn`, digits(knn, prefix)],
    [`${name}_average`, digits(average, prefix)],
  ])
  const families = fam.map((name) => name.replace(/^F_/, ''))
  return `${JSON.stringify(locale)}:${JSON.stringify({ language, families, ...Object.fromEntries(rows) })}`
})
writeFileSync(join(root, 'src', 'experiment', 'locales', 'languages.json'), `{${lines.join(',\n')}}\n`)
