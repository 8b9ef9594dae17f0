/** The texts that a table is weighted by and fitted to. */
import { fault, quantity, sha256 } from '#core'
import { readStaticTexts, type StaticTokenizer } from '#model/tokenizer'
import { trainTestSplit } from '#platform/random'
import { type DistilTexts, maxLength } from './distil-settings.ts'

export interface CorpusPlan {
  readonly name: string
  /** Texts as given. */
  readonly texts: number
  /** Different texts that have a token of the table: those to fit to, and those to measure on. */
  readonly train: number
  readonly validation: number
  /** Hash of the texts as given, each with a line end. */
  readonly sha256: string
}

export interface DistilCorpus {
  readonly plan: CorpusPlan
  readonly texts: readonly string[]
  /** Ids in the table of every text. */
  readonly tokens: readonly Int32Array[]
  /** Indexes of `texts`. */
  readonly train: Int32Array
  readonly validation: Int32Array
}

/** Below it a split says nothing. */
const fewestTexts = 20
/** Pairs of texts are compared: half a million of them. */
const mostValidation = 1000
/** A longer text is a file of another kind. */
const longestText = 1_000_000
/** Seed of the split. */
export const corpusSeed = 42

/** Throws `usage.value` for a text beyond a million characters, and for fewer than 20 different texts with a token. */
export async function openDistilCorpus(
  { name, texts }: DistilTexts,
  vocabulary: StaticTokenizer,
): Promise<DistilCorpus> {
  const long = texts.findIndex((text) => text.length > longestText)
  if (long >= 0)
    throw fault('usage.value', {
      place: `${name}, text ${long + 1}`,
      what: 'too long for a text',
      seen: quantity(texts[long]?.length ?? 0, 'character'),
      wanted: `one text per line, ${quantity(longestText, 'character')} at most`,
    })
  const different = [...new Set(texts)].filter((text) => text.trim() !== '')
  const read = await readStaticTexts(vocabulary, different, { name, maxLength })
  const known = different.flatMap((text, i) => (read[i]?.length === 0 ? [] : [{ text, tokens: read[i] ?? noTokens }]))
  if (known.length < fewestTexts)
    throw fault('usage.value', {
      place: name,
      what:
        different.length >= fewestTexts
          ? 'too few texts have a token that the table knows'
          : 'the corpus has too few different texts',
      seen: known.length,
      wanted: `at least ${fewestTexts}, of which a part is measured on`,
    })
  const size = Math.min(mostValidation, Math.max(fewestTexts / 2, Math.round(known.length / 10)))
  const { train, test } = trainTestSplit(known.length, { testSize: size, seed: corpusSeed })
  return {
    plan: {
      name,
      texts: texts.length,
      train: train.length,
      validation: test.length,
      sha256: sha256(texts.map((text) => `${text}\n`).join('')),
    },
    texts: known.map(({ text }) => text),
    tokens: known.map(({ tokens }) => tokens),
    train,
    validation: test,
  }
}

const noTokens = new Int32Array(0)
