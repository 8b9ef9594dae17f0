/**
 * How the cost of vectors grows: with the number of texts (whole processes of the program, a static table and
 * all-MiniLM-L6-v2), with their length, and with width and depth of a seeded BERT (time of encoding in the library).
 * The picture in docs/speed.md is drawn from the result.
 *
 *   node bench/run.mjs growth [--curves texts,length,width,layers]
 */
import { existsSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { type Contestant, runOnce } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { bertShape, type BertSizes, madeCheckpoint } from './lib/made-shapes.ts'
import { model as carriedModel, program, scratchFolder, shared } from './lib/places.ts'
import { machine, readResult, table, writeResult } from './lib/report.ts'
import { utterances } from './lib/texts.ts'

interface Point {
  readonly x: number
  readonly seconds: number
  /** In what was timed, special tokens included; undefined where they were not counted. */
  readonly tokens?: number
  readonly peakMiB: number
}
interface Curve {
  readonly of: 'texts' | 'length' | 'width' | 'layers'
  readonly model: string
  readonly points: readonly Point[]
}

const wanted = flag('curves', 'texts,length,width,layers').split(',')
const facts = await machine()
const curves: Curve[] = []
const add = (curve: Curve): void => {
  curves.push(curve)
  console.log(
    `${curve.of}, ${curve.model}\n${table([['', 's', 'MiB'], ...curve.points.map(({ x, seconds, peakMiB }) => [String(x), seconds, peakMiB])])}\n`,
  )
}

if (wanted.includes('length')) {
  // 65,536 tokens each time
  const points = await each([8, 16, 32, 64, 128, 256, 512], (length) =>
    seeded({ width: 384, layers: 6 }, { length, count: 65_536 / length }),
  )
  add({ of: 'length', model: 'seeded BERT, 6 × 384', points })
}
const texts = { length: 32, count: 512 }
if (wanted.includes('width'))
  add({
    of: 'width',
    model: 'seeded BERT, 6 layers',
    points: await each([128, 256, 384, 512, 768, 1024], (width) => seeded({ width, layers: 6 }, texts)),
  })
if (wanted.includes('layers'))
  add({
    of: 'layers',
    model: 'seeded BERT, 384 wide',
    points: await each([1, 2, 4, 8, 16, 24], (layers) => seeded({ width: 384, layers }, texts)),
  })
if (wanted.includes('texts')) {
  const potion = join(shared ?? '', 'models', 'potion-base-4M-int8')
  if (existsSync(potion))
    add({
      of: 'texts',
      model: 'potion-base-4M (static)',
      points: await each([62_500, 250_000, 1_000_000], (count) => whole(potion, count)),
    })
  add({
    of: 'texts',
    model: 'all-MiniLM-L6-v2',
    points: await each([12_500, 50_000, 200_000], (count) => whole(carriedModel, count)),
  })
}

const before = readResult<{ curves: Curve[] }>('growth')?.curves ?? []
writeResult('growth', {
  machine: facts,
  loadAfter: loadavg()[0],
  curves: [...before.filter(({ of }) => !wanted.includes(of)), ...curves],
})

async function each(values: readonly number[], point: (x: number) => Promise<Omit<Point, 'x'>>): Promise<Point[]> {
  const points: Point[] = []
  for (const x of values) points.push({ x, ...(await point(x)) })
  return points
}

/** `strata encode` from a file of lines to a file of vectors. */
async function whole(model: string, count: number): Promise<Omit<Point, 'x'>> {
  const folder = scratchFolder('growth')
  const input = join(folder, 'texts.txt')
  writeFileSync(input, utterances(count, ['en-US']).join('\n') + '\n')
  const [out, cache] = [join(folder, 'vectors.safetensors'), join(folder, 'cache')]
  const args = [program, 'encode', model, input, '--out', out, '--cache-dir', cache, '--quiet']
  const { wallSeconds, peakMiB } = await runOnce({
    name: `${count} texts`,
    command: process.execPath,
    args,
    fresh: [out, cache],
  })
  return { seconds: wallSeconds, peakMiB }
}

/** Texts of as many tokens each, the same word over and over, through a seeded encoder. */
async function seeded(
  sizes: BertSizes,
  { length, count }: { length: number; count: number },
): Promise<Omit<Point, 'x'>> {
  const model = madeCheckpoint(`bert-${sizes.layers}x${sizes.width}`, bertShape(sizes))
  const input = join(scratchFolder('growth'), 'texts.json')
  // the word alone would be one text; its neighbours differ in one place
  const words = ['time', 'year', 'people', 'way', 'day', 'man', 'thing', 'woman']
  const texts = Array.from({ length: count }, (_, i) =>
    Array.from({ length: length - 2 }, (_unused, k) => words[(i >> (3 * (k % 5))) & 7] ?? '').join(' '),
  )
  writeFileSync(input, JSON.stringify({ texts }))
  const contestant: Contestant = {
    name: `${length} tokens`,
    command: process.execPath,
    args: [join(import.meta.dirname, 'strata-encode.js'), '--model', model, '--texts', input, '--states', 'last'],
  }
  const { report, peakMiB } = await runOnce(contestant)
  const { texts: seconds = NaN } = report['seconds'] as Record<string, number>
  return { seconds, tokens: length * count, peakMiB }
}
