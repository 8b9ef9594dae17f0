/** Probabilities of the tokens of a text, one row per text, and the most probable token in the place of each. */
import { type CallOptions, fault, type TokenScores } from '#core'
import { inFlight } from '#model/passes'
import { graphFeeds, noPast, packedRows } from './pack-feeds.ts'
import { mostPicks } from './run-packs.ts'
import { plainLine, type ScoreParts } from './score-tokens.ts'

/**
 * Long texts pass again for every piece of them that the head looks at: memory is that of `mostPicks` logits. Throws
 * `usage.value`, `engine.run`, `run.cancelled`.
 */
export async function scoreEachToken(
  texts: readonly Int32Array[],
  { spec, graphs, window, name }: ScoreParts,
  { signal, onProgress }: CallOptions = {},
): Promise<TokenScores[]> {
  texts.forEach(({ length }, text) => {
    if (length < 1 || length > window)
      throw fault('usage.value', {
        place: `${name} › text ${text + 1}`,
        what: 'not a number of tokens that the model reads',
        seen: length,
        wanted: `1 … ${window}`,
      })
  })
  const { graph, session } = await graphs.open({ picked: 'best' })
  const most = mostPicks(spec)
  const answers: TokenScores[] = []
  let done = 0
  await inFlight(2, [...texts.keys()], async (text) => {
    const ids = texts[text] ?? new Int32Array(0)
    const answer: TokenScores = {
      ids,
      logProbabilities: new Float32Array(ids.length).fill(NaN),
      best: new Int32Array(ids.length + 1).fill(-1),
      bestLogProbabilities: new Float32Array(ids.length + 1).fill(NaN),
    }
    for (let from = 0; from < ids.length; from += most) {
      if (signal?.aborted === true)
        throw fault('run.cancelled', { place: name, what: 'cancelled', cause: signal.reason })
      const picks = Int32Array.from({ length: Math.min(most, ids.length - from) }, (_, i) => from + i)
      // what follows the text is unknown: any id will do
      const pairs = Int32Array.from({ length: 2 * picks.length }, (_, i) =>
        i % 2 === 0 ? i >> 1 : (ids[from + (i >> 1) + 1] ?? 0),
      )
      const outputs = await session.run({
        ...graphFeeds(graph, packedRows([plainLine(ids)], noPast, spec.padId ?? 0)),
        picked: { dtype: 'int32', dims: [picks.length], data: picks },
        targets: { dtype: 'int32', dims: [picks.length, 2], data: pairs },
      })
      const values = (output: string): Float32Array => {
        const value = outputs[output]
        if (value?.dtype === 'float32') return value.data
        throw fault('engine.run', { place: output, what: 'the graph did not give this output' })
      }
      answer.logProbabilities.set(values('log_probability').subarray(0, ids.length - 1 - from), from + 1)
      answer.best.set(Int32Array.from(values('best_id')), from + 1)
      answer.bestLogProbabilities.set(values('best_log_probability'), from + 1)
    }
    answers[text] = answer
    onProgress?.({ stage: 'score', done: ++done, total: texts.length, unit: 'texts' })
  })
  return answers
}
