/** A task of word pairs that the small model reads, in three splits; `word` stands in some of them. */
import type { scratchFolder } from '../scratch.ts'

export function pairsTask(file: ReturnType<typeof scratchFolder>['file'], name: string, word = 'b'): string {
  for (const split of ['train', 'validation', 'test']) {
    const text = (i: number): string =>
      `${'a '.repeat(i % 5)}${`${word} `.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
    const lines = Array.from({ length: 24 }, (_, i) => `${text(i + split.length)},${text(7 * i + 1)},${(i * 5) % 11}`)
    file(`${name}-${split}.csv`, `${['first,second,rating', ...lines].join('\n')}\n`)
  }
  const data = ['train', 'validation', 'test'].map((split) => `  ${split}: ${name}-${split}.csv\n`).join('')
  return file(
    `${name}.yaml`,
    `name: ${name}\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n${data}columns: { sentence1: first, sentence2: second, score: rating }\n`,
  )
}
