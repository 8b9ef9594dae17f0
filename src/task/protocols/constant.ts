/** A model that gives every text the same vector tells nothing apart: mteb would score the order of the rows. */
import { fault } from '#core'
import type { Context } from './part-scores.ts'

interface Guarded {
  /** The context to ask through. */
  readonly context: Context
  /** Throws `task.value` when several texts were asked for and all their vectors are equal. */
  refuse(place: string): void
}

export function guarded(context: Context): Guarded {
  let first: Float32Array | undefined
  let text: string | undefined
  let [texts, vectors] = [false, false]
  return {
    context: {
      ...context,
      embed: async (asked, ...more) => {
        const answer = await context.embed(asked, ...more)
        text ??= asked[0]
        texts ||= asked.some((other) => other !== text)
        first ??= answer.data.slice(0, answer.width)
        vectors ||= !isConstant(answer.data, first)
        return answer
      },
    },
    refuse(place) {
      if (texts && !vectors) throw fault('task.value', { place, what: 'the model gives every text the same vector' })
    },
  }
}

/** Whether every row is `vector`; mostly settled by the second one. */
function isConstant(data: Float32Array, vector: Float32Array): boolean {
  for (let i = 0; i < data.length; i++) if (data[i] !== vector[i % vector.length]) return false
  return true
}
