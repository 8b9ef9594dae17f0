/** Named entities as `label: name $ label: name` (lm-evaluation-harness, `SPANFilter`). */
import { stripText } from '#core'
import { pythonRegex } from '#platform/python'
import { eachResponse, type Filter } from './filter.ts'

const labels = [
  ['person', 'PER'],
  ['location', 'LOC'],
  ['organization', 'ORG'],
  ['counties', 'LOC'],
  ['places', 'LOC'],
  ['people', 'PER'],
  ['persons', 'PER'],
  ['company', 'ORG'],
  ['country', 'LOC'],
  ['continent', 'LOC'],
  ['time', 'DATE'],
  ['date', 'DATE'],
  ['per', 'PER'],
  ['loc', 'LOC'],
  ['org', 'ORG'],
] as const
const named = labels.map(([word, label]) => [pythonRegex(`\\b${word}\\s*:`), `${label}:`] as const)
const entity = pythonRegex('\\b(PER|LOC|ORG|DATE):\\s*([^$]+)')

export const formatSpan: Filter = { options: [], make: eachResponse(() => spans) }

function spans(response: string): string {
  const labelled = named.reduce((text, [pattern, label]) => pattern.sub(label, text), response.toLowerCase())
  const joined = labelled.replaceAll('$$', '$').replace(/\$+$/, '')
  const text = stripText(joined.replaceAll('\n', '$'))
  return entity
    .findAll(text)
    .flatMap(([label = '', names = '']) => names.split(',').map((name) => [label, stripText(name)] as const))
    .filter(([, name]) => name.toLowerCase() !== 'none')
    .map(([label, name]) => `${label.toLowerCase()}: ${name}`)
    .join(' $ ')
}
