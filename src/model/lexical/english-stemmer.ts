/**
 * The English stemmer of Snowball 3.1 (M. Porter's "Porter2"; https://snowballstem.org/algorithms/english/stemmer.html),
 * which PyStemmer calls `english`.
 */

/** A word with its regions: `p1` and `p2` are where R1 and R2 begin. */
interface Regions {
  readonly p1: number
  readonly p2: number
}

const irregular = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
])

/** The stem of a word in lower case; a word of one or two letters is its own. */
export function stemEnglish(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (word.length < 3 || Array.from(word).length < 3) return word
  const marked = markConsonants(word.startsWith("'") ? word.slice(1) : word)
  const regions = regionsOf(marked)
  const steps = [pastAndPresent, finalY, longSuffixes, suffixes, residues, finalLetter]
  return steps.reduce((stem, step) => step(stem, regions), plurals(marked)).replaceAll('Y', 'y')
}

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && letter !== '' && 'aeiouy'.includes(letter)
}

/** A y that stands for a consonant, at the beginning or after a vowel, becomes Y. */
function markConsonants(word: string): string {
  const letters = word.split('')
  if (letters[0] === 'y') letters[0] = 'Y'
  for (let i = 0; i + 1 < letters.length; i++) if (isVowel(letters[i]) && letters[i + 1] === 'y') letters[++i] = 'Y'
  return letters.join('')
}

/** Prefixes after which R1 begins at once, so that unlike words keep unlike stems. */
const prefixes = ['gener', 'commun', 'arsen', 'past', 'univers', 'later', 'emerg', 'organ', 'inter']

function regionsOf(word: string): Regions {
  const p1 = prefixes.find((prefix) => word.startsWith(prefix))?.length ?? afterSyllable(word, 0)
  return { p1, p2: afterSyllable(word, p1) }
}

/** The place behind the first consonant that follows a vowel, or the end. */
function afterSyllable(word: string, from: number): number {
  let at = from
  while (at < word.length && !isVowel(word[at])) at++
  while (at < word.length && isVowel(word[at])) at++
  return Math.min(at + 1, word.length)
}

function longest(word: string, suffixes: readonly string[]): string | undefined {
  let found: string | undefined
  for (const suffix of suffixes) if (word.endsWith(suffix) && suffix.length > (found?.length ?? -1)) found = suffix
  return found
}

function without(word: string, suffix: string): string {
  return word.slice(0, word.length - suffix.length)
}

function hasVowel(text: string): boolean {
  return /[aeiouy]/.test(text)
}

function endsInShortSyllable(word: string): boolean {
  const [third, second, last] = [word.at(-3), word.at(-2), word.at(-1)]
  if (word.endsWith('past')) return true
  if (last === undefined || isVowel(last) || !isVowel(second)) return false
  return third === undefined || (!isVowel(third) && !'wxY'.includes(last))
}

/** Step 1a. */
function plurals(given: string): string {
  const word = without(given, longest(given, ["'", "'s", "'s'"]) ?? '')
  switch (longest(word, ['sses', 'ied', 'ies', 's', 'us', 'ss'])) {
    case 'sses':
      return word.slice(0, -2)
    case 'ied':
    case 'ies':
      return word.slice(0, -3) + (word.length - 3 >= 2 ? 'i' : 'ie')
    case 's':
      return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word
    case 'us':
    case 'ss':
    case undefined:
    default:
      return word
  }
}

/** Step 1b. */
function pastAndPresent(word: string, { p1 }: Regions): string {
  const suffix = longest(word, ['eed', 'eedly', 'ed', 'edly', 'ing', 'ingly'])
  if (suffix === undefined) return word
  const stem = without(word, suffix)
  if (suffix.startsWith('eed')) return p1 > stem.length || ['proc', 'exc', 'succ'].includes(stem) ? word : `${stem}ee`
  if (suffix === 'ing') {
    if (stem.length === 2 && stem.endsWith('y') && !isVowel(stem[0])) return `${stem.slice(0, -1)}ie`
    if (['inn', 'out', 'cann', 'herr', 'earr', 'even'].includes(stem)) return word
  }
  if (!hasVowel(stem)) return word
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return /^[aeo]..$/.test(stem) ? stem : stem.slice(0, -1)
  return stem.length === p1 && endsInShortSyllable(stem) ? `${stem}e` : stem
}

/** Step 1c. */
function finalY(word: string): string {
  return /[yY]$/.test(word) && word.length > 2 && !isVowel(word.at(-2)) ? `${word.slice(0, -1)}i` : word
}

/** Suffix → what takes its place in R1. */
const step2: Readonly<Record<string, string>> = {
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  entli: 'ent',
  izer: 'ize',
  ization: 'ize',
  ational: 'ate',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  aliti: 'al',
  alli: 'al',
  fulness: 'ful',
  ousli: 'ous',
  ousness: 'ous',
  iveness: 'ive',
  iviti: 'ive',
  biliti: 'ble',
  bli: 'ble',
  ogist: 'og',
  ogi: 'og',
  fulli: 'ful',
  lessli: 'less',
  li: '',
}

function longSuffixes(word: string, { p1 }: Regions): string {
  const suffix = longest(word, Object.keys(step2))
  if (suffix === undefined) return word
  const stem = without(word, suffix)
  if (p1 > stem.length) return word
  if (suffix === 'ogi' && !stem.endsWith('l')) return word
  if (suffix === 'li' && !/[cdeghkmnrt]$/.test(stem)) return word
  return stem + (step2[suffix] ?? '')
}

const step3: Readonly<Record<string, string>> = {
  tional: 'tion',
  ational: 'ate',
  alize: 'al',
  icate: 'ic',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
  ative: '',
}

function suffixes(word: string, { p1, p2 }: Regions): string {
  const suffix = longest(word, Object.keys(step3))
  if (suffix === undefined) return word
  const stem = without(word, suffix)
  return (suffix === 'ative' ? Math.max(p1, p2) : p1) > stem.length ? word : stem + (step3[suffix] ?? '')
}

const step4 = 'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion'.split(' ')

function residues(word: string, { p2 }: Regions): string {
  const suffix = longest(word, step4)
  if (suffix === undefined) return word
  const stem = without(word, suffix)
  return p2 > stem.length || (suffix === 'ion' && !/[st]$/.test(stem)) ? word : stem
}

/** Step 5. */
function finalLetter(word: string, { p1, p2 }: Regions): string {
  const stem = word.slice(0, -1)
  const inR2 = p2 <= stem.length
  if (word.endsWith('e')) return inR2 || (p1 <= stem.length && !endsInShortSyllable(stem)) ? stem : word
  return word.endsWith('l') && inR2 && stem.endsWith('l') ? stem : word
}
