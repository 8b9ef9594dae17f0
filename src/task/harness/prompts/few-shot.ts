/**
 * The solved examples before a question: drawn by CPython's generator, one draw per question, in the order of the
 * questions (samplers.py, 0.4.13).
 */
import { fault } from '#core'
import { pythonRandom } from '#platform/random'
import { type Doc, toKey } from '../doc.ts'

export interface FewShotOptions {
  readonly count: number
  /** `fewshot_config.sampler`. */
  readonly sampler: string
  readonly seed: number
  /** Rows are drawn from the ones that are asked: the row itself is never its own example. */
  readonly excludeAsked: boolean
  readonly place: string
}

export interface Sampler {
  /** Must be asked once for every question that is shown to the model, in their order. */
  next: (asked: Doc) => readonly Doc[]
  /** Questions so far that had their own row among the examples. */
  leaks: () => number
}

/** Throws `usage.value` when the pool is too small or the sampler is none. */
export function fewShotSampler(
  pool: readonly Doc[],
  { count, sampler, seed, excludeAsked, place }: FewShotOptions,
): Sampler {
  if (sampler !== 'default' && sampler !== 'first_n')
    throw fault('usage.value', {
      place: `${place} › fewshot_config › sampler`,
      what: 'the harness has no such sampler',
      seen: sampler,
      wanted: ['default', 'first_n'],
    })
  const keys = pool.map(toKey)
  const random = pythonRandom(seed)
  let leaked = 0
  const drawn = (size: number, wanted: number): number[] => {
    if (size < wanted)
      throw fault('usage.value', {
        place,
        what: 'too few examples',
        seen: size,
        wanted,
        hint: `--num_fewshot ${Math.max(0, size - (excludeAsked ? 1 : 0))} at most`,
      })
    return random.sample(size, wanted)
  }
  const choose = (asked: string): readonly number[] => {
    const places = pool.map((_, i) => i)
    if (sampler === 'first_n') {
      const left = excludeAsked ? places.filter((i) => keys[i] !== asked) : places
      if (left.length < count) drawn(left.length, count)
      return left.slice(0, count)
    }
    if (!excludeAsked) return drawn(pool.length, count)
    const picked = drawn(pool.length, count + 1).filter((i) => keys[i] !== asked)
    if (picked.length >= count) return picked.slice(0, count)
    // rows that stand twice: drawn again from the others
    const others = places.filter((i) => keys[i] !== asked)
    return drawn(others.length, count).map((i) => others[i] ?? 0)
  }
  return {
    next(asked) {
      if (count === 0) return []
      const key = toKey(asked)
      const picked = choose(key)
      if (picked.some((i) => keys[i] === key)) leaked++
      return picked.map((i) => pool[i] ?? {})
    },
    leaks: () => leaked,
  }
}
