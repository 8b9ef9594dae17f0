// Forms of a 6 × 384 encoder with random weights, side by side in one run: which operators the graph builder should write.
// `npm run build && node bench/graph-forms.mjs [threads]` – prints tokens a second (median of interleaved rounds) and writes bench/results/graph-forms.json.
// Processor time is measured rather than the clock, so that a busy machine changes the ratios little.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { createBuilder } from '../dist/model/graph/builder.js'
import { encodeModel } from '../dist/platform/onnx/index.js'

const [layers, width, heads, inner] = [6, 384, 12, 1536]
const headWidth = width / heads
const shapes = [
  [32, 16],
  [32, 32],
  [8, 128],
]
const rounds = 15

/** `bias`: within the product or added; `attention`: plain operators or ONNX Runtime's own; `norm`: two operators or one; `gelu`: with or without its bias. */
const forms = {
  'plain, bias in product': { bias: 'gemm', attention: 'plain', norm: 'two', gelu: 'gelu' },
  'plain, bias added': { bias: 'add', attention: 'plain', norm: 'two', gelu: 'gelu' },
  'plain, BiasGelu': { bias: 'gemm', attention: 'plain', norm: 'two', gelu: 'bias' },
  MultiHeadAttention: { bias: 'gemm', attention: 'mha', norm: 'two', gelu: 'gelu' },
  Attention: { bias: 'gemm', attention: 'packed', norm: 'two', gelu: 'gelu' },
  'plain, SkipLayerNormalization': { bias: 'gemm', attention: 'plain', norm: 'one', gelu: 'gelu' },
}

function encoder(form) {
  const b = createBuilder()
  let seed = 1
  const weight = (...dims) => {
    const name = `weight.${seed}`
    const data = Float32Array.from(
      { length: dims.reduce((a, c) => a * c, 1) },
      () => ((seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5) / Math.sqrt(width),
    )
    return b.initializer({ name, type: 'float32', dims, data: new Uint8Array(data.buffer) })
  }
  const x0 = b.input('x', 'float32', ['rows', 'cols', width])
  const mask = b.input('mask', 'int32', ['rows', 'cols'])
  const allowed = b.reshape(b.cast(mask, 'bool'), [0, 1, 1, -1])
  const scoreBias = b.node('Where', [allowed, b.float(0), b.float(-1e9)])
  const tokens = (columns) => b.node('Concat', [b.node('Shape', [mask]), b.int([columns])], { axis: 0 })
  const product = (x, w) => b.fused('FusedMatMul', [x, w], { transB: 1 })
  const linear = (x, inside, out) => {
    const [w, bias] = [weight(out, inside), weight(out)]
    if (form.bias === 'add') return b.add(product(x, w), bias)
    return b.node('Reshape', [b.node('Gemm', [b.reshape(x, [-1, inside]), w, bias], { transB: 1 }), tokens(out)])
  }
  const byHead = (x) => b.transpose(b.reshape(x, [0, 0, heads, headWidth]), [0, 2, 1, 3])
  const attention = (x) => {
    const scale = { scale: { float: headWidth ** -0.5 }, num_heads: heads, mask_filter_value: { float: -1e9 } }
    if (form.attention === 'packed')
      return b.fused('Attention', [x, weight(width, 3 * width), weight(3 * width), mask], scale)
    const [q, k, v] = [0, 1, 2].map(() => linear(x, width, width))
    if (form.attention === 'mha') return b.fused('MultiHeadAttention', [q, k, v, '', mask], scale)
    const scores = b.add(
      b.fused('FusedMatMul', [byHead(q), byHead(k)], { transB: 1, alpha: { float: headWidth ** -0.5 } }),
      scoreBias,
    )
    return b.reshape(
      b.transpose(b.node('MatMul', [b.node('Softmax', [scores], { axis: -1 }), byHead(v)]), [0, 2, 1, 3]),
      [0, 0, width],
    )
  }
  const addNorm = (x, y) => {
    const [scale, bias] = [weight(width), weight(width)]
    const epsilon = { epsilon: { float: 1e-12 } }
    return form.norm === 'one'
      ? b.fused('SkipLayerNormalization', [x, y, scale, bias], epsilon)
      : b.node('LayerNormalization', [b.add(x, y), scale, bias], { axis: -1, ...epsilon })
  }
  const mlp = (x) => {
    const hidden =
      form.gelu === 'bias'
        ? b.fused('BiasGelu', [product(x, weight(inner, width)), weight(inner)])
        : b.fused('Gelu', [linear(x, width, inner)])
    return linear(hidden, inner, width)
  }
  let x = x0
  for (let layer = 0; layer < layers; layer++) {
    x = addNorm(x, linear(attention(x), width, width))
    x = addNorm(x, mlp(x))
  }
  b.name(x, 'y')
  const { nodes, initializers, inputs } = b
  return encodeModel({
    name: 'encoder',
    opsets: { '': 20, 'com.microsoft': 1 },
    nodes,
    initializers,
    inputs,
    outputs: [{ name: 'y', type: 'float32', dims: ['rows', 'cols', width] }],
  })
}

const threads = Number(process.argv[2] ?? 1)
const sessions = []
for (const [name, form] of Object.entries(forms)) {
  sessions.push([
    name,
    await InferenceSession.create(encoder(form), {
      graphOptimizationLevel: 'basic',
      intraOpNumThreads: threads,
      logSeverityLevel: 3,
    }),
  ])
}

const busy = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 / threads
}
const rows = []
for (const [texts, cols] of shapes) {
  const feeds = {
    x: new Tensor(
      'float32',
      Float32Array.from({ length: texts * cols * width }, (_, i) => Math.sin(i)),
      [texts, cols, width],
    ),
    mask: new Tensor('int32', new Int32Array(texts * cols).fill(1), [texts, cols]),
  }
  const seconds = sessions.map(() => [])
  for (let round = -2; round < rounds; round++) {
    for (const [index, [, session]] of sessions.entries()) {
      const started = busy()
      await session.run(feeds)
      if (round >= 0) seconds[index].push(busy() - started)
    }
  }
  for (const [index, [form]] of sessions.entries()) {
    const median = seconds[index].sort((a, c) => a - c)[Math.floor(rounds / 2)]
    rows.push({ form, texts, cols, tokensPerSecond: Math.round((texts * cols) / median) })
  }
}

for (const [texts, cols] of shapes) {
  const group = rows.filter((row) => row.texts === texts && row.cols === cols)
  console.log(`${texts} × ${cols}`)
  for (const { form, tokensPerSecond } of group)
    console.log(`  ${form.padEnd(32)} ${tokensPerSecond}  ${(tokensPerSecond / group[0].tokensPerSecond).toFixed(3)}`)
}
const results = join(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
writeFileSync(
  join(results, 'graph-forms.json'),
  `${JSON.stringify({ threads, cpu: cpus()[0]?.model, rows }, null, 2)}\n`,
)
