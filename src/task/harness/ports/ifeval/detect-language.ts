/**
 * The language of a text: langdetect 1.0.9 with `DetectorFactory.seed = 0`, draw for draw.
 *
 * Naive Bayes over triples of letters, seven times from a random smoothing and random order (N. Shuyo,
 * language-detection, 2010). The harness sets no seed, so its answers to texts between two languages differ from run to
 * run; ours are those of one such run.
 */
import { pythonRandom, type PythonRandom } from '#platform/random'
import { languageProfiles, type LanguageProfiles } from './language-profiles.ts'
import { isUpper } from './python-text.ts'

const trials = 7
const smoothing = { mean: 0.5, width: 0.05, base: 10_000 }
const steps = 1000
const sure = 0.99999
const longest = 10_000
const seeded = pythonRandom(0)

/**
 * A language's code as in `zh-cn`, `unknown` where none is likelier than one in ten, or nothing where the text has no
 * letters.
 */
export function detectLanguage(text: string): string | undefined {
  const profiles = languageProfiles()
  const grams = gramsOf(withoutForeignLatin(cleaned(text, profiles)), profiles)
  if (grams.length === 0) return undefined
  const average = new Float64Array(profiles.languages.length)
  const entries = grams.map((gram) => profiles.shares.get(gram) ?? [])
  const random = seeded.copy()
  const normal = normals(random)
  for (let trial = 0; trial < trials; trial++) {
    const found = oneTrial(entries, average.length, random, smoothing.mean + normal() * smoothing.width)
    for (let i = 0; i < average.length; i++) average[i] = (average[i] ?? 0) + (found[i] ?? 0) / trials
  }
  const best = average.reduce((top, probability, i) => (probability > (average[top] ?? 0) ? i : top), 0)
  return (average[best] ?? 0) > 0.1 ? profiles.languages[best] : 'unknown'
}

/** `entries`: of each run of characters, language, share, language, share, … */
function oneTrial(
  entries: readonly (readonly number[])[],
  languages: number,
  random: PythonRandom,
  alpha: number,
): Float64Array {
  const weight = alpha / smoothing.base
  const probabilities = new Float64Array(languages).fill(1 / languages)
  const found = new Float64Array(languages)
  for (let step = 0; ; step++) {
    const entry = entries[random.below(entries.length)] ?? []
    for (let i = 0; i < entry.length; i += 2)
      found[i / 2] = (probabilities[entry[i] ?? 0] ?? 0) * (weight + (entry[i + 1] ?? 0))
    for (let i = 0; i < languages; i++) probabilities[i] = (probabilities[i] ?? 0) * weight
    for (let i = 0; i < entry.length; i += 2) probabilities[entry[i] ?? 0] = found[i / 2] ?? 0
    if (step % 5 === 0 && (normalize(probabilities) > sure || step >= steps)) return probabilities
  }
}

/** To the sum of one; gives the largest. */
function normalize(probabilities: Float64Array): number {
  let sum = 0
  for (let i = 0; i < probabilities.length; i++) sum += probabilities[i] ?? 0
  let largest = 0
  for (let i = 0; i < probabilities.length; i++)
    largest = Math.max(largest, (probabilities[i] = (probabilities[i] ?? 0) / sum))
  return largest
}

/** Python's `random.gauss(0, 1)`: two numbers from two draws. */
function normals(random: PythonRandom): () => number {
  let kept: number | undefined
  return () => {
    if (kept !== undefined) {
      const second = kept
      kept = undefined
      return second
    }
    const angle = random.random() * 2 * Math.PI
    const radius = Math.sqrt(-2 * Math.log(1 - random.random()))
    kept = Math.sin(angle) * radius
    return Math.cos(angle) * radius
  }
}

const address = /https?:\/\/[-_.?&~;+=/#0-9A-Za-z]{1,2076}/g
const mail = /[-_.0-9A-Za-z]{1,64}@[-_0-9A-Za-z]{1,255}[-_.0-9A-Za-z]{1,255}/g

/** Without addresses, marks joined to their letters, runs of blanks made one; its first ten thousand characters. */
function cleaned(text: string, { vietnamese: { letters, marks, composed } }: LanguageProfiles): string[] {
  const joined = text
    .replace(address, ' ')
    .replace(mail, ' ')
    .replace(
      new RegExp(`([${letters}])([${marks}])`, 'gu'),
      (_, letter: string, mark: string) => composed[marks.indexOf(mark)]?.charAt(letters.indexOf(letter)) ?? '',
    )
  return Array.from(joined)
    .slice(0, longest)
    .filter((character, i, all) => character !== ' ' || all[i - 1] !== ' ')
}

/** A text mostly in another script, without what it has in Latin letters. */
function withoutForeignLatin(characters: readonly string[]): readonly string[] {
  const isLatin = (character: string): boolean => character >= 'A' && character <= 'z'
  const latin = characters.filter(isLatin).length
  const other = characters.filter((character) => character >= '\u0300').length
  return latin * 2 < other ? characters.filter((character) => !isLatin(character)) : characters
}

/** Known runs of one to three characters, in order; words in capitals have none. */
function gramsOf(characters: readonly string[], profiles: LanguageProfiles): string[] {
  const grams: string[] = []
  let last: readonly string[] = [' ']
  let capitals = false
  for (const written of characters) {
    const character = unified(written, profiles)
    const before = last.at(-1) ?? ' '
    if (before === ' ') {
      last = [' ']
      capitals = false
      if (character === ' ') continue
    } else if (last.length >= 3) last = last.slice(1)
    last = [...last, character]
    if (!isUpper(character)) capitals = false
    else if (isUpper(before)) capitals = true
    if (!capitals) addGrams(last, profiles, grams)
  }
  return grams
}

function addGrams(last: readonly string[], { shares }: LanguageProfiles, grams: string[]): void {
  for (let n = 1; n <= last.length; n++) {
    const gram = last.slice(-n).join('')
    if (gram !== ' ' && shares.has(gram)) grams.push(gram)
  }
}

/** One character for all that tell no languages apart. Blocks by their range. */
function unified(character: string, { notLetters, kanji }: LanguageProfiles): string {
  const point = character.codePointAt(0) ?? 0
  const within = (first: number, last: number): boolean => point >= first && point <= last
  if (point < 0x80) return /[A-Za-z]/.test(character) ? character : ' '
  if (point < 0x1_00) return notLetters.includes(character) ? ' ' : character
  if (character === '\u0219') return '\u015f'
  if (character === '\u021b') return '\u0163'
  if (character === '\u06cc') return '\u064a'
  if (within(0x20_00, 0x20_6f)) return ' '
  if (within(0x1e_a0, 0x1e_ff)) return '\u1ec3'
  if (within(0x30_40, 0x30_9f)) return '\u3042'
  if (within(0x30_a0, 0x30_ff)) return '\u30a2'
  if (within(0x31_00, 0x31_2f) || within(0x31_a0, 0x31_bf)) return '\u3105'
  if (within(0x4e_00, 0x9f_ff)) return kanji.get(character) ?? character
  return within(0xac_00, 0xd7_af) ? '\uac00' : character
}
