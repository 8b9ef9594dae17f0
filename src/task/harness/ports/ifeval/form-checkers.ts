/** Instructions on the form of a response: marks, lists, sections, repeated prompts. */
import { type Checker, countOf, textOf, wrong } from './checker.ts'
import { matchCounter, space, strip, stripOf } from './python-text.ts'

const numberOf = (response: string, pattern: RegExp): number => Array.from(response.matchAll(pattern)).length

const placeholders: Checker = (settings, random) => {
  const wanted = countOf(settings, 'num_placeholders', random, 1, 4)
  return (response) => numberOf(response, /\[[^\n]*?\]/g) >= wanted
}

const postscript: Checker = (settings, random) => {
  const given = textOf(settings, 'postscript_marker')
  const drawn = (): string => (random.below(2) === 0 ? 'P.S.' : 'P.P.S')
  const marker = given === undefined ? drawn() : strip(given)
  const known: Readonly<Record<string, string>> = {
    'P.P.S': String.raw`p\.[${space}]?p\.[${space}]?s`,
    'P.S.': String.raw`p\.[${space}]?s\.`,
  }
  const find = matchCounter(
    known[marker] ?? String.raw`[${space}]*${marker.toLowerCase()}[^\n]*(?![^\n])`,
    '',
    'IFEval › postscript_marker',
  )
  return (response) => find(response.toLowerCase()) > 0
}

const bullets = [
  new RegExp(String.raw`(?<![^\n])[${space}]*\*[^*][^\n]*`, 'gu'),
  new RegExp(String.raw`(?<![^\n])[${space}]*-[^\n]*`, 'gu'),
]

const bulletLists: Checker = (settings, random) => {
  const wanted = countOf(settings, 'num_bullets', random, 1, 5)
  return (response) => bullets.reduce((sum, pattern) => sum + numberOf(response, pattern), 0) === wanted
}

const highlights: Checker = (settings, random) => {
  const wanted = countOf(settings, 'num_highlights', random, 1, 4)
  return (response) => {
    const single = (response.match(/\*[^\n*]*\*/g) ?? []).filter((marked) => strip(stripOf(marked, '*')) !== '')
    // four marks alone lose the first two, then the last two
    const double = (response.match(/\*\*[^\n*]*\*\*/g) ?? []).filter((marked) => strip(marked.slice(2, -2)) !== '')
    return single.length + double.length >= wanted
  }
}

const sections: Checker = (settings, random) => {
  const given = textOf(settings, 'section_spliter')
  const drawn = (): string => (random.below(2) === 0 ? 'Section' : 'SECTION')
  const splitter = given === undefined ? drawn() : strip(given)
  const wanted = countOf(settings, 'num_sections', random, 1, 5)
  const find = matchCounter(
    String.raw`[${space}]?${splitter}[${space}]?\p{Nd}+[${space}]?`,
    '',
    'IFEval › section_spliter',
  )
  return (response) => find(response) >= wanted
}

const responses = ['My answer is yes.', 'My answer is no.', 'My answer is maybe.']

const twoResponses: Checker = () => (response) => {
  const parts = response.split('******')
  const blankInside = parts.slice(1, -1).some((part) => strip(part) === '')
  const [first, second, ...more] = parts.map(strip).filter((part) => part !== '')
  return !blankInside && second !== undefined && more.length === 0 && first !== second
}

const repeatPrompt: Checker = (settings) => {
  const prompt = textOf(settings, 'prompt_to_repeat')
  if (prompt === undefined) throw wrong('prompt_to_repeat', null, 'a text')
  return (response) => strip(response).toLowerCase().startsWith(strip(prompt).toLowerCase())
}

const title: Checker = () => (response) =>
  (response.match(/<<[^\n]+>>/g) ?? []).some((found) => strip(found.replace(/^<+/, '').replace(/>+$/, '')) !== '')

/** Whether Python's `json.loads` takes it: NaN and infinities too, and no integer of more than 4300 digits. */
function isJson(text: string): boolean {
  let tooLong = false
  const plain = text.replace(/"(?:[^"\\]|\\[^])*"|NaN|-?Infinity|\d{4301,}(?![\d.eE])/g, (found) => {
    if (found.startsWith('"')) return found
    tooLong ||= /^\d/.test(found)
    return 'null'
  })
  try {
    JSON.parse(plain)
  } catch {
    return false
  }
  return !tooLong
}

const json: Checker = () => (response) => {
  let text = strip(response)
  for (const fence of ['```json', '```Json', '```JSON', '```'])
    if (text.startsWith(fence)) text = text.slice(fence.length)
  return isJson(strip(text.endsWith('```') ? text.slice(0, -3) : text))
}

export const formCheckers = {
  'detectable_content:number_placeholders': placeholders,
  'detectable_content:postscript': postscript,
  'detectable_format:number_bullet_lists': bulletLists,
  'detectable_format:constrained_response': () => (response) =>
    responses.some((option) => strip(response).includes(option)),
  'detectable_format:number_highlighted_sections': highlights,
  'detectable_format:multiple_sections': sections,
  'detectable_format:json_format': json,
  'detectable_format:title': title,
  'combination:two_responses': twoResponses,
  'combination:repeat_prompt': repeatPrompt,
} as const satisfies Readonly<Record<string, Checker>>
