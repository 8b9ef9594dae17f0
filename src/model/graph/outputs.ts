/** The requested states of the model become named outputs. */
import { fault } from '#core'
import type { Value } from './builder.ts'
import { headNamed, runHead } from './heads.ts'
import { createPooler } from './pooling.ts'
import { remember } from './remember.ts'
import type { GraphOutput, GraphRequest } from './request.ts'
import { endsInside, finalNorm, type States } from './states.ts'
import type { Wiring } from './wiring.ts'
import { wireWords } from './words.ts'

/** Every output asked for, in the order of `GraphOutput.kind`s; `place` is for messages. */
export function wireOutputs(
  wiring: Wiring,
  states: States,
  request: GraphRequest,
  poolMask: Value,
  place: string,
): readonly GraphOutput[] {
  const { builder, spec } = wiring
  const {
    tokens = false,
    pool = [],
    pooledLast = true,
    lastState = false,
    pooler = false,
    finalNorm: rule = 'native',
  } = request
  const outputs: GraphOutput[] = []
  const put = (value: Value, output: GraphOutput): void => {
    builder.name(value, output.name)
    outputs.push(output)
  }
  const pooling = createPooler(wiring, poolMask, pool)

  const state = remember((h: number) => hiddenState(wiring, states, h, rule))
  const pooled = remember((value: Value) => pooling.pool(value))
  for (const h of statesAsked(request.states, spec.layers)) {
    const { value, width } = state(h)
    if (tokens) put(value, { name: `hidden_states.${h}`, kind: 'state', h, width, per: 'token' })
    if (pool.length > 0)
      put(pooled(value), { name: `pooled.${h}`, kind: 'pooled', h, width: width * pool.length, per: 'text' })
  }
  if (lastState) put(states.last(), { name: 'last_hidden_state', kind: 'last', width: states.lastWidth, per: 'token' })
  if (pool.length > 0 && pooledLast)
    put(pooled(states.last()), {
      name: 'pooled.last',
      kind: 'pooled-last',
      width: states.lastWidth * pool.length,
      per: 'text',
    })
  if (pooler) {
    const { value, width } = runHead(wiring, states, states.lastWidth, headNamed(spec, 'pooler', place))
    put(value, { name: 'pooler_output', kind: 'pooler', width, per: 'text' })
  }
  const { logits = 'none' } = request
  const named = logits === 'none' ? undefined : logits
  const head = named === 'auto' ? spec.head : named
  if (head !== undefined) {
    const { value, width, per } = runHead(wiring, states, states.lastWidth, headNamed(spec, head, place))
    put(value, { name: 'logits', kind: 'logits', width, per })
  }
  return request.words === undefined ? outputs : [...outputs, wireWords(wiring, states, request, place)]
}

/** Hidden state h by the rule asked for, and its width. */
function hiddenState(
  wiring: Wiring,
  { raw, last, lastWidth }: States,
  h: number,
  rule: 'native' | 'always',
): { value: Value; width: number } {
  const { final, layers, width } = wiring.spec
  const isLast = h === layers && !endsInside(wiring.spec)
  if (isLast && (final.lastState === 'normed' || rule === 'always')) return { value: last(), width: lastWidth }
  const value = raw(h)
  return { value: rule === 'always' && final.norm ? finalNorm(wiring, value) : value, width }
}

function statesAsked(states: GraphRequest['states'], layers: number): readonly number[] {
  if (states === 'all') return Array.from({ length: layers + 1 }, (_, h) => h)
  const asked = [...new Set(states)]
  const wrong = asked.find((h) => !Number.isInteger(h) || h < 0 || h > layers)
  if (wrong !== undefined)
    throw fault('usage.value', { place: 'hidden state', what: 'does not exist', seen: wrong, wanted: `0 … ${layers}` })
  return asked
}
