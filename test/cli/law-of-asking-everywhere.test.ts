/**
 * The law of asking, of every other command that keeps something: what it prints, how it ends and what it writes is the
 * same in a folder that holds what another invocation left as in an empty one.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { nightly } from '../nightly.ts'
import { scratchFolder } from '../scratch.ts'
import { asking } from './asking-lines.ts'
import { filesIn, scoresIn, toAnswer } from './answers.ts'
import { strata } from './program.ts'
import { offline, thingsIn, writeThings } from './small-things.ts'

const scratch = scratchFolder()
const { path } = scratch
const things = thingsIn(path)
const env = offline(path)
beforeAll(() => writeThings(scratch))

function isBroken(command: string, first: string, second: string): boolean {
  return broken[command]?.some(([one, other]) => one === first && other === second) === true
}

interface Answer {
  readonly said: string
  /** What it wrote, by path; scores of its results by file, split and subset. */
  readonly files: ReadonlyMap<string, string>
}

/** Files of a folder that a command writes for its user; results and caches are the program's own. */
const written = /^(?!results\/|cache\/|experiment\/|answers\.jsonl|\w+\/(?:trajectory|search|\.search))/

async function answerIn(folder: string, command: string, name: string): Promise<Answer> {
  const out = path(folder)
  mkdirSync(out, { recursive: true })
  const line = asking[command]?.(things, out)[name] ?? []
  const ran = await strata([...line, '--json'], { env })
  // the first result writes the facts of a model
  const files = [...filesIn(out)].filter(([path]) => written.test(path) && !path.endsWith('model_meta.json'))
  const scores = ['results', 'experiment/results'].flatMap((inner) => [...scoresIn(join(out, inner))])
  return { said: toAnswer(ran, out), files: new Map([...files, ...scores]) }
}

/** Pairs that once broke, by command: tried by day, too. */
const broken: Readonly<Record<string, readonly (readonly [first: string, second: string])[]>> = {
  evaluate: [
    ['--subsets en', 'a task that loses a subset'],
    ['--subsets en', '--subsets de'],
  ],
  compare: [
    ['one task', '--subsets'],
    ['--splits', 'another model'],
    ['--subsets', 'plain'],
  ],
}

describe.each(Object.keys(asking).map((command, k) => [command, k] as const))(
  'strata %s answers as it does in an empty folder',
  (command, k) => {
    const names = Object.keys(asking[command]?.(things, '') ?? {})
    const alone = new Map<string, Promise<Answer>>()
    const fresh = (name: string): Promise<Answer> => {
      const known = alone.get(name) ?? answerIn(`${command}-alone-${names.indexOf(name)}`, command, name)
      alone.set(name, known)
      return known
    }
    // some forty of 1,600; at night all
    const pairs = names.flatMap((first, i) =>
      names.flatMap((second, j) =>
        i !== j && (nightly || (5 * i + 7 * j + k) % 41 === 0 || isBroken(command, first, second))
          ? [[first, second] as const]
          : [],
      ),
    )

    test.each(pairs)('after %s: %s', async (first, second) => {
      const folder = `${command}-after-${names.indexOf(first)}-${names.indexOf(second)}`
      await answerIn(folder, command, first)
      const { said, files } = await answerIn(folder, command, second)
      const expected = await fresh(second)
      expect(said).toBe(expected.said)
      expect([...expected.files].filter(([name, content]) => files.get(name) !== content)).toEqual([])
    })

    test.runIf(nightly)('and the answers are not all the same', async () => {
      const answers = await Promise.all(names.map(fresh))
      const said = new Set(answers.map(({ said, files }) => JSON.stringify([said, [...files]])))
      expect([...said].filter((answer) => answer.startsWith('["exit 2'))).toEqual([])
      // a few may be the same: draws that fall alike, a number that changes nothing
      expect(said.size).toBeGreaterThan(names.length - 3)
    })
  },
)
