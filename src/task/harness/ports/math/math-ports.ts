/** MATH and its relatives: Minerva's wording, the Open LLM Leaderboard's, Hendrycks', AIME, Putnam-AXIOM. */
import { docText } from '../../doc.ts'
import { textOf } from '../answers.ts'
import { textIn } from '../columns.ts'
import type { Port } from '../port.ts'
import {
  boxedIn,
  invalidAnswer,
  normalAnswer,
  statedAnswer,
  sameSpelling,
  equivalent,
  statedIn,
  isVerified,
} from '#task/math-answers'

/** Between the first dollar sign and the last; all of it where there are not two. */
function betweenDollars(text: string): string {
  const [first, last] = [text.indexOf('$'), text.lastIndexOf('$')]
  return first === last ? text : text.slice(first + 1, last)
}

export const hendrycksResults: Port = {
  kind: 'results',
  run: (doc, answers) => {
    const gold = boxedIn(textIn(doc, 'solution'))
    return { exact_match: Number(gold !== undefined && sameSpelling(betweenDollars(textOf(answers[0])), gold)) }
  },
}

export const aimeResults: Port = {
  kind: 'results',
  run: (doc, answers) => {
    const response = textOf(answers[0])
    const column = Object.keys(doc).find((name) => name.toLowerCase() === 'answer') ?? 'answer'
    return { exact_match: Number(sameSpelling(boxedIn(response) ?? betweenDollars(response), docText(doc[column]))) }
  },
}

export const putnamResults: Port = {
  kind: 'results',
  run: (doc, answers) => {
    const response = textOf(answers[0])
    const answer = normalAnswer(boxedIn(response) ?? statedAnswer(response, 'putnam'), { frozen: false })
    return { exact_match: Number(equivalent(answer, textIn(doc, 'answer'))) }
  },
}

export const minervaResults: Port = {
  kind: 'results',
  run: (doc, answers) => {
    const response = textOf(answers[0])
    const answer = normalAnswer(statedAnswer(response), { frozen: false })
    const gold = textIn(doc, 'answer')
    return {
      exact_match: Number((answer !== '' && answer === gold) || equivalent(answer, gold)),
      math_verify: Number(verified(textIn(doc, 'solution'), response, false)),
    }
  },
}

export const leaderboardResults: Port = {
  kind: 'results',
  run: (doc, answers) => {
    const response = textOf(answers[0])
    return {
      exact_match: Number(verified(textIn(doc, 'solution'), response, true)),
      exact_match_original: Number(sameAsBefore(response, textIn(doc, 'answer'))),
    }
  },
}

function sameAsBefore(response: string, gold: string): boolean {
  const [answer, wanted] = [statedAnswer(response), gold].map((text) => normalAnswer(text, { frozen: true }))
  if (answer === undefined || wanted === undefined || answer === invalidAnswer) return false
  return answer.trim() === wanted.trim() || equivalent(answer, wanted)
}

/** `latexOnly`: of the solution; a plain number counts in a response all the same. */
function verified(solution: string, response: string, latexOnly: boolean): boolean {
  return isVerified(statedIn(solution, { latexOnly }), statedIn(response, { latexOnly: false }))
}
