/** RACE (Lai et al. 2017): an article and its problems; all but the last are solved in the prompt. */
import { literalEval } from '#platform/python'
import type { Doc } from '../doc.ts'
import { placeIn, textIn, textsIn } from './columns.ts'
import type { Port } from './port.ts'

/** A Python list of dictionaries. */
function problemsOf(doc: Doc): Doc[] {
  return literalEval(textIn(doc, 'problems')) as unknown as Doc[]
}

const last = (doc: Doc): Doc => problemsOf(doc).at(-1) ?? {}
const rightPlace = (problem: Doc): number => placeIn(['A', 'B', 'C', 'D'], textIn(problem, 'answer'), 'answer')

export const raceChoices: Port = { kind: 'field', run: (doc) => textsIn(last(doc), 'options').slice(0, 4) }

export const raceTarget: Port = { kind: 'field', run: (doc) => rightPlace(last(doc)) }

export const raceText: Port = {
  kind: 'field',
  run: (doc) => {
    const solved = problemsOf(doc)
      .slice(0, -1)
      .map((problem) => {
        const [question, answer] = [textIn(problem, 'question'), textsIn(problem, 'options')[rightPlace(problem)] ?? '']
        return question.endsWith('  _  .')
          ? `${question.slice(0, -5)}${answer}\n`
          : `Question: ${question}\nAnswer: ${answer}\n`
      })
    return `Article: ${textIn(doc, 'article')}\n\n${solved.join('')}${textIn(last(doc), 'question')}`
  },
}
