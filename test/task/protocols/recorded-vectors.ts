/**
 * Goldens that the scripts under oracles write with mteb's own task classes: made-up rows, recorded vectors, every
 * sub-score.
 */
import { type Embedder, matrix, type PromptType, type Similarity } from '#core'
import { goldenOf } from '../../golden-of.ts'

export interface GoldenCase {
  what: string
  task: string
  similarity: Similarity
  /** Text → vector. */
  vectors: Record<string, number[]>
}

export function goldenCases<Case extends GoldenCase>(name: string): Case[] {
  return goldenOf<{ cases: Case[] }>('task/protocols', name).cases
}

/** An embedder that knows these texts; `asked` collects the prompt types. */
export function recorded(vectors: Record<string, number[]>): Embedder & { asked: (PromptType | undefined)[] } {
  const width = Object.values(vectors)[0]?.length ?? 0
  const asked: (PromptType | undefined)[] = []
  return {
    representation: 'default',
    width,
    asked,
    embed(texts, { promptType } = {}) {
      asked.push(promptType)
      const out = matrix(texts.length, width)
      texts.forEach((text, i) => out.data.set(vectors[text] ?? [], i * width))
      return Promise.resolve(out)
    },
  }
}

/** Fields of `want`, nested ones too, that `got` does not hold within the tolerance, and fields in another order. */
export function differences(got: unknown, want: unknown, tolerance: number, path = ''): string[] {
  if (want !== null && typeof want === 'object') {
    if (got === null || typeof got !== 'object') return [`${path}: ${String(got)}, wanted an object`]
    const [own, wanted] = [Object.keys(got), Object.keys(want)]
    const order =
      own.filter((name) => wanted.includes(name)).join() === wanted.join()
        ? []
        : [`${path}: fields ${own.join(' ')}, wanted ${wanted.join(' ')}`]
    const entries = Object.entries(want as Record<string, unknown>)
    return [
      ...order,
      ...entries.flatMap(([name, value]) =>
        differences((got as Record<string, unknown>)[name], value, tolerance, `${path}.${name}`),
      ),
    ]
  }
  if (typeof got === 'number' && typeof want === 'number' && Math.abs(got - want) <= tolerance) return []
  return got === want ? [] : [`${path}: ${String(got)}, wanted ${String(want)}`]
}
