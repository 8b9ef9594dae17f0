/** The texts that are timed where none are given: 256 questions of Banking77, every twelfth of its test split. */
import { readFile } from 'node:fs/promises'

const file = new URL('../../../assets/bench/texts.txt', import.meta.url)

export async function carriedTexts(): Promise<{ readonly name: string; readonly texts: readonly string[] }> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  return { name: 'Banking77', texts: lines.filter((line) => line !== '') }
}
