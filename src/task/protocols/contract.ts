/** The laws of task protocols of the user's own, over seeded rows and vectors. */
import { broken, type Law, matrix } from '#core'
import { randomState } from '#platform/random'
import type { PartOfProtocol } from '#task/rows'
import type { PairRows, ScoringContext, TaskProtocolDefinition } from './define.ts'

/** Numbers of pairs. */
const sizes = [12, 40]
/** Sums in another order. */
const rounding = 1e-9

/** The laws, in the order of a report. */
export function taskProtocolLaws(): Law<TaskProtocolDefinition>[] {
  const law = (
    text: string,
    hold: (protocol: TaskProtocolDefinition, part: PartOfProtocol[PairRows], at: string) => Promise<void>,
  ): Law<TaskProtocolDefinition> => ({
    law: text,
    async hold(protocol) {
      for (const pairs of sizes) await hold(protocol, drawn(protocol.rows, pairs), `${pairs} pairs`)
    },
  })
  return [
    law('gives its main score, and finite numbers', async (protocol, part, at) => {
      const { metrics } = await protocol.score(part, embedder())
      for (const [name, value] of Object.entries(metrics))
        if (!Number.isFinite(value)) broken(at, `${name} is not finite`, String(value))
      if (!(protocol.mainScore in metrics)) broken(at, `no ${protocol.mainScore}`, Object.keys(metrics))
    }),
    law('gives the same scores when it is asked twice', async (protocol, part, at) => {
      const [once, again] = [await protocol.score(part, embedder()), await protocol.score(part, embedder())]
      for (const [name, value] of Object.entries(once.metrics))
        if (!Object.is(again.metrics[name], value)) broken(at, `another ${name}`, again.metrics[name], String(value))
    }),
    law('gives the same scores when the pairs are in another order', async (protocol, part, at) => {
      const [plain, turned] = [
        await protocol.score(part, embedder()),
        await protocol.score(backwards(part), embedder()),
      ]
      for (const [name, value] of Object.entries(plain.metrics))
        if (!(Math.abs((turned.metrics[name] ?? NaN) - value) <= rounding))
          broken(at, `another ${name}`, turned.metrics[name], String(value))
    }),
    law('changes none of its rows', async (protocol, part, at) => {
      const before = JSON.stringify(part)
      await protocol.score(part, embedder())
      if (JSON.stringify(part) !== before) broken(at, 'it wrote to them')
    }),
    law('gives one entry per pair in its columns', async (protocol, part, at) => {
      const { columns = {} } = await protocol.score(part, embedder())
      for (const [name, { length }] of Object.entries(columns))
        if (length !== part.sentence1.length) broken(at, `entries of ${name}`, length, String(part.sentence1.length))
    }),
  ]
}

/** A vector per text, from its letters alone: the same text, the same vector. */
function embedder(): ScoringContext {
  const width = 8
  return {
    signal: undefined,
    embed: (texts) =>
      Promise.resolve(
        matrix(
          texts.length,
          width,
          Float32Array.from(
            texts.flatMap((text) =>
              Array.from({ length: width }, (_, k) =>
                Array.from(text).reduce(
                  (sum, letter, i) => sum + Math.sin((letter.codePointAt(0) ?? 0) * (k + 1) + i),
                  0.1,
                ),
              ),
            ),
          ),
        ),
      ),
  }
}

function drawn(rows: PairRows, pairs: number): PartOfProtocol[PairRows] {
  const random = randomState(pairs)
  const word = (): string => [...random.randomSample(6)].map((value) => 'abcdefgh'[Math.floor(8 * value)]).join('')
  const sentence1 = Array.from({ length: pairs }, word)
  const values = [...random.randomSample(pairs)]
  const about = { split: 'test', subset: 'default', languages: ['eng-Latn'] }
  const texts = { sentence1, sentence2: sentence1.map((text, i) => (i % 3 === 0 ? `${text}a` : word())) }
  return rows === 'AbsTaskSTS'
    ? { ...about, ...texts, score: values }
    : { ...about, ...texts, labels: values.map((value) => Number(value > 0.5)) }
}

function backwards(part: PartOfProtocol[PairRows]): PartOfProtocol[PairRows] {
  const turned = { sentence1: part.sentence1.toReversed(), sentence2: part.sentence2.toReversed() }
  return 'score' in part
    ? { ...part, ...turned, score: part.score.toReversed() }
    : { ...part, ...turned, labels: part.labels.toReversed() }
}
