/** Lines of `strata …` as they stand in documents: what a shell would make of them. */
import { type Document, documents } from './documents.ts'

export interface Line {
  readonly page: string
  readonly text: string
  /** Stands in a block, to be typed as it is; in a sentence it may be a part. */
  readonly whole: boolean
  /** Without `strata`. */
  readonly words: readonly string[]
}

/** In blocks, two blanks or ` #` begin an explanation; a redirection ends the words. */
export function commandLines({ path: page, blocks, code }: Document): Line[] {
  const typed = blocks.flatMap(({ text }) => text.split('\n')).map((line) => ({ line, whole: true }))
  return [...typed, ...code.map((line) => ({ line, whole: false }))].flatMap(({ line, whole }) => {
    const text = line
      .trim()
      .replace(/^\$ /, '')
      .replace(/\s+#.*$| {2,}.*$/, '')
    const [program, ...words] = wordsOf(text.replace(/ [>|].*$/, ''))
    return program === 'strata' && words.length > 0 && !text.includes('…') ? [{ page, text, whole, words }] : []
  })
}

export const allCommandLines: readonly Line[] = documents.flatMap(commandLines)

function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}
