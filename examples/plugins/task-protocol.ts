// A task protocol: how often the model puts two pairs in the order that people do, of all pairs of different scores.
// strata evaluate ./model --task-file mine.yaml --plugin examples/plugins/task-protocol.ts, with `scorer: pair_order`
import { defineTaskProtocol } from 'strata-lm/plugin'

export const order = defineTaskProtocol({
  name: 'pair_order',
  rows: 'AbsTaskSTS',
  mainScore: 'agreement',
  async score({ sentence1, sentence2, score }, { embed }) {
    const [a, b] = [await embed(sentence1), await embed(sentence2)]
    const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, k) => sum + value * (y[k] ?? 0), 0)
    const cosines = score.map((_, i) => {
      const [x, y] = [a, b].map(({ data, width }) => data.subarray(i * width, (i + 1) * width))
      return x === undefined || y === undefined ? 0 : dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y))
    })
    const signs = score.flatMap((one, i) =>
      score
        .slice(0, i)
        .flatMap((other, j) => (one === other ? [] : [(one - other) * ((cosines[i] ?? 0) - (cosines[j] ?? 0)) > 0])),
    )
    return {
      metrics: { agreement: signs.filter(Boolean).length / Math.max(1, signs.length) },
      columns: { cosine: cosines },
    }
  },
})
