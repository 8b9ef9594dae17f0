import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { joinConvolution } from '../../../src/model/graph/convolution.ts'
import { disentangledScores, logBucket } from '../../../src/model/graph/disentangled.ts'
import { at, greatest, runFragment, sum, values } from './fragment.ts'
import { seeded } from './plain-forward.ts'
import type { Values } from './safetensors-source.ts'

describe('logarithmic buckets', () => {
  const bucket = (distance: number): number => logBucket(distance, 256, 512)

  test('are exact up to half of them', () => {
    for (let distance = -128; distance <= 128; distance++) expect(bucket(distance)).toBe(distance)
  })

  test('reach the last one at the longest distance and not before', () => {
    expect(bucket(511)).toBe(255)
    expect(bucket(500)).toBeLessThan(255)
    expect(bucket(512)).toBe(256)
  })

  test('are odd and never fall', () => {
    for (let distance = 1; distance < 600; distance++) {
      expect(bucket(-distance)).toBe(-bucket(distance))
      expect(bucket(distance)).toBeGreaterThanOrEqual(bucket(distance - 1))
    }
  })
})

const [rows, cols, heads, headWidth, width] = [2, 9, 2, 4, 8]
const config = {
  model_type: 'deberta-v2',
  hidden_size: width,
  intermediate_size: 12,
  num_attention_heads: heads,
  num_hidden_layers: 1,
  vocab_size: 7,
  position_biased_input: false,
  relative_attention: true,
  max_position_embeddings: 6,
  layer_norm_eps: 1e-7,
}
const mask = Array.from({ length: rows }, () => Array.from({ length: cols }, () => 1))
/** Float32 against float64 over sums of at most 8 products of numbers below 1. */
const tolerance = 1e-5

function dense(draw: () => number, name: string): Record<string, Values> {
  return { [`${name}.weight`]: values(draw, [width, width]), [`${name}.bias`]: values(draw, [width]) }
}

describe('disentangled scores', () => {
  const forms = [
    {
      title: 'both ways, shared projections, buckets',
      pos_att_type: 'c2p|p2c',
      share_att_key: true,
      position_buckets: 4,
      span: 4,
    },
    {
      title: 'both ways, projections of their own, clipped',
      pos_att_type: ['p2c', 'c2p'],
      share_att_key: false,
      position_buckets: -1,
      span: 6,
    },
    { title: 'content to position only', pos_att_type: 'c2p', share_att_key: false, position_buckets: -1, span: 6 },
    { title: 'position to content only', pos_att_type: ['p2c'], share_att_key: true, position_buckets: 4, span: 4 },
  ]

  test.each(forms)('$title: as looked up pair by pair', async ({ span, title: _title, ...form }) => {
    const spec = specOf({ ...config, ...form })
    const { positions } = spec.attention
    if (positions.kind !== 'disentangled') throw new Error('positions are not disentangled')
    const draw = seeded(5)
    const self = 'encoder.layer.0.attention.self'
    const table = values(draw, [2 * span, width])
    const tensors = {
      'embeddings.word_embeddings.weight': values(draw, [7, width]),
      'encoder.rel_embeddings.weight': table,
      ...dense(draw, `${self}.query_proj`),
      ...dense(draw, `${self}.key_proj`),
      ...dense(draw, `${self}.pos_query_proj`),
      ...dense(draw, `${self}.pos_key_proj`),
    } as Record<string, Values>
    const [q, k] = [values(draw, [rows, heads, cols, headWidth]), values(draw, [rows, heads, cols, headWidth])]
    const block = spec.blocks[0]
    if (block === undefined) throw new Error('no block')
    const result = await runFragment(spec, tensors, { mask, rank: 4 }, (wiring) => {
      const [queries, keys] = [q, k].map(({ shape, data }) => wiring.builder.float(data, shape))
      return disentangledScores(wiring, { q: queries ?? '', k: keys ?? '' }, positions, block) ?? ''
    })

    const project = (name: string, row: number, head: number, d: number): number => {
      const [weight, bias] = [tensors[`${self}.${name}.weight`], tensors[`${self}.${name}.bias`]]
      if (weight === undefined || bias === undefined) return Number.NaN
      return at(bias, head * headWidth + d) + sum(width, (w) => at(table, row, w) * at(weight, head * headWidth + d, w))
    }
    const [keyName, queryName] = form.share_att_key ? ['key_proj', 'query_proj'] : ['pos_key_proj', 'pos_query_proj']
    const parts = typeof form.pos_att_type === 'string' ? form.pos_att_type.split('|') : form.pos_att_type
    const rowOf = (distance: number): number => {
      const bucket = form.position_buckets > 0 ? logBucket(distance, form.position_buckets, 6) : distance
      return Math.min(Math.max(bucket + span, 0), 2 * span - 1)
    }
    const worst = greatest(result, (b, n, i, j) => {
      const row = rowOf(i - j)
      const c2p = parts.includes('c2p') ? sum(headWidth, (d) => at(q, b, n, i, d) * project(keyName, row, n, d)) : 0
      const p2c = parts.includes('p2c') ? sum(headWidth, (d) => at(k, b, n, j, d) * project(queryName, row, n, d)) : 0
      return (c2p + p2c) * (headWidth * (1 + parts.length)) ** -0.5
    })
    expect(result.dims).toEqual([rows, heads, cols, cols])
    expect(worst).toBeLessThan(tolerance)
  })

  test('relative attention without a type of score adds nothing and scales by the head alone', () => {
    const spec = specOf(config)
    expect(spec.attention.positions).toEqual({ kind: 'none' })
    expect(spec.blocks[0]?.scale).toBe(headWidth ** -0.5)
  })

  test('types of score take their share also where relative attention is off', () => {
    const spec = specOf({ ...config, relative_attention: false, pos_att_type: 'c2p|p2c' })
    expect(spec.attention.positions).toEqual({ kind: 'none' })
    expect(spec.blocks[0]?.scale).toBe((3 * headWidth) ** -0.5)
  })
})

describe('the convolution beside the first block', () => {
  test.each([
    { kernel: 3, groups: 1 },
    { kernel: 5, groups: 2 },
  ])('$kernel wide in $groups groups joins what it sees of real tokens', async ({ kernel, groups }) => {
    const spec = specOf({ ...config, conv_kernel_size: kernel, conv_groups: groups })
    const { convolution } = spec
    if (convolution === undefined) throw new Error('no convolution')
    const draw = seeded(9)
    const [weight, bias] = [values(draw, [width, width / groups, kernel]), values(draw, [width])]
    const [scale, shift] = [values(draw, [width], 1), values(draw, [width])]
    const tensors = {
      'embeddings.word_embeddings.weight': values(draw, [7, width]),
      'encoder.conv.conv.weight': weight,
      'encoder.conv.conv.bias': bias,
      'encoder.conv.LayerNorm.weight': scale,
      'encoder.conv.LayerNorm.bias': shift,
    }
    const [embedded, x] = [values(draw, [rows, cols, width]), values(draw, [rows, cols, width])]
    const holes = mask.map((row, b) => row.map((_, s) => (b === 1 && s > 5 ? 0 : 1)))
    const result = await runFragment(spec, tensors, { mask: holes, rank: 3 }, (wiring) =>
      joinConvolution(
        wiring,
        { embedded: wiring.builder.float(embedded.data, embedded.shape), x: wiring.builder.float(x.data, x.shape) },
        convolution,
      ),
    )

    const real = (b: number, s: number): boolean => holes[b]?.[s] === 1
    const joined = (b: number, s: number, out: number): number => {
      const first = Math.floor(out / (width / groups)) * (width / groups)
      const seen = sum(kernel, (tap) => {
        const column = s + tap - (kernel - 1) / 2
        return real(b, column)
          ? sum(width / groups, (w) => at(embedded, b, column, first + w) * at(weight, out, w, tap))
          : 0
      })
      return at(x, b, s, out) + Math.tanh(seen + at(bias, out))
    }
    const wanted = (b: number, s: number, out: number): number => {
      const mean = sum(width, (w) => joined(b, s, w)) / width
      const variance = sum(width, (w) => (joined(b, s, w) - mean) ** 2) / width
      return ((joined(b, s, out) - mean) / Math.sqrt(variance + 1e-7)) * at(scale, out) + at(shift, out)
    }
    expect(greatest(result, wanted, real)).toBeLessThan(tolerance)
  })
})
