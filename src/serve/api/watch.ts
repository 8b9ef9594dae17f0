/** What those ask who watch a server: is it there, what does it serve, how much did it do. */
import { version } from '#core'
import { json } from '#serve/http'
import { get } from './world.ts'

export const health = get({
  path: '/health',
  dialect: 'tei',
  summary: 'Whether the server answers',
  isOpen: true,
  run: () => Promise.resolve({ kind: 'text', text: '', type: 'text/plain' }),
})

export const info = get({
  path: '/info',
  dialect: 'tei',
  summary: 'The first model, and its limits, as text-embeddings-inference says them',
  async run(_, { world: { served } }) {
    const [first] = served.all
    if (first === undefined) return json({ version })
    const { model, name, revision } = first
    return json({
      model_id: name,
      model_sha: await revision(),
      model_dtype: model.settings['dtype'] ?? 'f32',
      model_type: { embedding: { pooling: model.settings.pooling.join('+') } },
      max_input_length: model.settings.maxLength,
      models: served.all.map((one) => ({ model_id: one.name, hidden_states: one.model.states?.count ?? 0 })),
      version,
    })
  },
})

export const metrics = get({
  path: '/metrics',
  dialect: 'tei',
  summary: 'Counts for Prometheus: requests, tokens, queue, sizes of passes, times',
  run(_, { world: { served, gauges } }) {
    gauges.set(
      'strata_queue_tokens',
      served.all.reduce((sum, { queue }) => sum + (queue?.waitingTokens() ?? 0), 0),
    )
    return Promise.resolve({ kind: 'text', text: gauges.text(), type: 'text/plain; version=0.0.4; charset=utf-8' })
  },
})
