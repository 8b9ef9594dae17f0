/** Rows of MATH and its relatives: the last box of a solution is its answer. */
import { fault } from '#core'
import type { Doc, DocValue } from '../../doc.ts'
import { textIn } from '../columns.ts'
import type { Port } from '../port.ts'
import { boxedIn, invalidAnswer, normalAnswer } from '#task/math-answers'

export const mathText: Port = { kind: 'field', run: (doc) => `Problem:\n${textIn(doc, 'problem')}\n\nSolution:` }

/** `answerIn`: of a solution. The other columns stay. */
const rows = (answerIn: (solution: string) => string, keeps: (doc: Doc) => boolean = () => true): Port => ({
  kind: 'docs',
  run: (docs) => docs.filter(keeps).map((doc) => ({ ...doc, answer: answerIn(textIn(doc, 'solution')) })),
})

/** The reference stops at a solution without a box. */
function requiredBox(solution: string): string {
  const answer = boxedIn(solution)
  if (answer === undefined)
    throw fault('task.value', {
      place: 'solution',
      what: 'no answer in a box',
      seen: solution.slice(-200),
      wanted: '\\boxed{…}',
    })
  return answer
}

const normalBox = (solution: string): string => normalAnswer(requiredBox(solution), { frozen: false })

export const hendrycksRows: Port = rows(requiredBox)
export const minervaRows: Port = rows(normalBox)
/** The hardest of five levels. */
export const leaderboardRows: Port = rows(
  (solution) => boxedIn(solution) ?? invalidAnswer,
  (doc) => doc['level'] === 'Level 5',
)
export const putnamVariations: Port = rows(normalBox, (doc) => Number(doc['variation']) === 1)

/**
 * A function that returns nothing but a list of rows, all with the columns of the first: from the literals of its file,
 * texts by their column.
 */
export function literalRows(constants: readonly (string | number)[]): Port | undefined {
  const [first] = constants
  const starts = constants.flatMap((constant, i) => (i % 2 === 0 && constant === first ? [i] : []))
  const found = starts.map((start, i) => {
    const own = constants.slice(start, starts[i + 1])
    return own.flatMap((name, at): [string, DocValue][] => (at % 2 === 0 ? [[String(name), own[at + 1] ?? null]] : []))
  })
  const columns = found[0]?.map(([name]) => name).join()
  const regular =
    constants.length % 2 === 0 && found.length > 0 && found.every((row) => row.map(([name]) => name).join() === columns)
  return regular ? { kind: 'samples', run: () => found.map((row) => Object.fromEntries(row)) } : undefined
}
