/** Which of several answers to one question counts (lm-evaluation-harness, selection.py). */
import { fault } from '#core'
import type { Filter, Response } from './filter.ts'

const all = (responses: readonly Response[] | Response): readonly Response[] => [responses].flat()

export const takeFirst: Filter = {
  options: [],
  make: () => (responses) => ({ responses: responses.map((own) => all(own)[0] ?? ''), missed: 0 }),
}

export const takeFirstK: Filter = {
  options: ['k'],
  make({ k }, place) {
    if (typeof k !== 'number' || !Number.isInteger(k) || k < 1)
      throw fault('usage.value', { place: `${place} › k`, what: 'not a count', seen: k ?? null })
    return (responses) => {
      const [first = []] = responses
      if (all(first).length < k)
        throw fault('usage.value', {
          place,
          what: 'fewer repeats than are to be taken',
          seen: all(first).length,
          wanted: k,
          hint: 'repeats in the task file',
        })
      return { responses: responses.map((own) => all(own).slice(0, k)), missed: 0 }
    }
  },
}

/** The first of equally frequent ones wins. */
export const majorityVote: Filter = {
  options: [],
  make: () => (responses) => ({
    responses: responses.map((own) => {
      const counts = new Map<Response, number>()
      for (const one of all(own)) counts.set(one, (counts.get(one) ?? 0) + 1)
      const most = Math.max(...counts.values())
      return [[...counts].find(([, count]) => count === most)?.[0] ?? '']
    }),
    missed: 0,
  }),
}
