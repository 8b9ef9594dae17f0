/**
 * How often each language uses which letters, pairs and triples: the profiles of langdetect 1.0.9, made from Wikipedia
 * (Shuyo 2010).
 */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

interface Stored {
  readonly profiles: readonly {
    readonly language: string
    readonly words: readonly number[]
    readonly grams: string
    readonly counts: readonly number[]
  }[]
  /** Characters of Latin-1 that count as blanks. */
  readonly notLetters: string
  /** Characters used alike; the first stands for all. */
  readonly kanji: readonly string[]
  readonly vietnamese: { readonly letters: string; readonly marks: string; readonly composed: readonly string[] }
}

export interface LanguageProfiles extends Pick<Stored, 'notLetters' | 'vietnamese'> {
  readonly languages: readonly string[]
  /** One to three characters → language, share, language, share, … */
  readonly shares: ReadonlyMap<string, readonly number[]>
  readonly kanji: ReadonlyMap<string, string>
}

let loaded: LanguageProfiles | undefined

export function languageProfiles(): LanguageProfiles {
  return (loaded ??= load())
}

function load(): LanguageProfiles {
  const packed = readFileSync(new URL('../../../../../assets/harness/languages.json.br', import.meta.url))
  const { profiles, notLetters, kanji, vietnamese } = JSON.parse(brotliDecompressSync(packed).toString()) as Stored
  const shares = new Map<string, number[]>()
  for (const [language, { words, grams, counts }] of profiles.entries())
    for (const [i, gram] of grams.split('\n').entries()) {
      const entry = shares.get(gram) ?? []
      entry.push(language, (counts[i] ?? 0) / (words[Array.from(gram).length - 1] ?? 1))
      shares.set(gram, entry)
    }
  return {
    languages: profiles.map(({ language }) => language),
    shares,
    kanji: new Map(kanji.flatMap((group) => Array.from(group, (character) => [character, group.charAt(0)]))),
    notLetters,
    vietnamese,
  }
}
