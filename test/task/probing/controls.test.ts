import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { controlled, type ProbeDataSet } from '#task/probing'

const dataSet = (instances: ProbeDataSet['instances']): ProbeDataSet => ({
  name: 'one',
  taskType: 'SENTENCE',
  classes: 4,
  labels: [],
  instances,
})
const sentences = dataSet(
  Array.from({ length: 40 }, (_, i) => ({
    id: String(i),
    inputs: [{ text: `the quick ${i} brown fox` }],
    contexts: [],
    label: i % 4,
    split: 'train' as const,
  })),
)
const sorted = (text: string | undefined): string[] => (text ?? '').split(' ').toSorted()

describe('controlled', () => {
  test('randomization moves labels and nothing else, always the same way', () => {
    const moved = controlled(sentences, 'randomization')
    const labels = ({ instances }: ProbeDataSet): number[] => instances.map(({ label }) => label)
    expect(labels(moved)).not.toEqual(labels(sentences))
    expect(labels(moved).toSorted((a, b) => a - b)).toEqual(labels(sentences).toSorted((a, b) => a - b))
    expect(moved.instances.map(({ inputs }) => inputs)).toEqual(sentences.instances.map(({ inputs }) => inputs))
    expect(controlled(sentences, 'randomization')).toEqual(moved)
  })

  test('permutation moves the words of a sentence', () => {
    const texts = (one: ProbeDataSet): string[] => one.instances.map(({ inputs }) => inputs[0]?.text ?? '')
    const moved = controlled(sentences, 'permutation')
    expect(texts(moved)).not.toEqual(texts(sentences))
    expect(texts(moved).map(sorted)).toEqual(texts(sentences).map(sorted))
  })

  test('spans are found where they went, whole, also those that share characters', () => {
    const word = fc.constantFrom('a', 'bb', '😀c', 'dé')
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 2, maxLength: 9 }),
        fc.array(fc.tuple(fc.nat(8), fc.nat(3)), { minLength: 1, maxLength: 4 }),
        (words, chosen) => {
          const text = words.join(' ')
          const starts = words.map((_, i) => Array.from(words.slice(0, i).join(' ')).length + (i === 0 ? 0 : 1))
          const inputs = chosen.map(([from, more]) => {
            const [first, last] = [from % words.length, Math.min(words.length - 1, (from % words.length) + more)]
            const [start, end] = [starts[first] ?? 0, (starts[last] ?? 0) + Array.from(words[last] ?? '').length]
            return { text: Array.from(text).slice(start, end).join(''), span: { context: 0, start, end } }
          })
          const [moved] = controlled(
            dataSet([{ id: '1', inputs, contexts: [text], label: 0, split: 'train' }]),
            'permutation',
          ).instances
          const letters = Array.from(moved?.contexts[0] ?? '')
          expect(moved?.inputs.map(({ span }) => letters.slice(span?.start, span?.end).join(''))).toEqual(
            inputs.map((one) => one.text),
          )
          expect(sorted(letters.join(''))).toEqual(sorted(text))
        },
      ),
    )
  })
})
