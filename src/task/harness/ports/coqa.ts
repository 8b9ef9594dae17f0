/** CoQA (Reddy et al. 2019): a story, a conversation about it, and answers of several people to its last question. */
import { stripText } from '#core'
import { type Doc, docText } from '../doc.ts'
import { textOf } from './answers.ts'
import { rowIn, textIn, textsIn } from './columns.ts'
import type { Port } from './port.ts'
import { sameWords, wordF1 } from '#task/text-metrics'

export const coqaText: Port = {
  kind: 'field',
  run: (doc) => {
    const questions = textsIn(rowIn(doc, 'questions'), 'input_text')
    const answers = textsIn(rowIn(doc, 'answers'), 'input_text').slice(0, -1)
    const turns = Array.from({ length: Math.max(questions.length, answers.length) }, (_, i) => {
      const answer = answers[i]
      return `Q: ${questions[i] ?? 'None'}\n\n${answer === undefined ? 'A:' : `A: ${answer}\n\n`}`
    })
    return `${textIn(doc, 'story')}\n\n${turns.join('')}`
  },
}

export const coqaTarget: Port = { kind: 'field', run: answersOf }

/** The first person's answer, and others' where it is not there in another case. */
function answersOf(doc: Doc): string[] {
  const turn = textsIn(rowIn(doc, 'questions'), 'input_text').length - 1
  const answers = [textsIn(rowIn(doc, 'answers'), 'input_text')[turn] ?? '']
  const others = doc['additional_answers']
  if (typeof others !== 'object' || others === null || Array.isArray(others)) return answers
  for (const key of Object.keys(others)) {
    const answer = docText(textsIn(rowIn(others as Doc, key), 'input_text')[turn])
    if (!answers.some((known) => known.toLowerCase() === answer.toLowerCase())) answers.push(answer)
  }
  return answers
}

/** Each answer is left out in turn, as a person's own is when people are scored; means over the turns. */
export const coqaResults: Port = {
  kind: 'results',
  run: (doc, [answer]) => {
    const golds = answersOf(doc)
    const [prediction = ''] = stripText(textOf(answer)).split('\n')
    const mean = (measure: (gold: string, prediction: string) => number): number => {
      const rounds = golds.length > 1 ? golds.map((_, i) => golds.toSpliced(i, 1)) : [golds]
      return (
        rounds.reduce((sum, own) => sum + Math.max(...own.map((gold) => measure(gold, prediction))), 0) /
        Math.max(1, golds.length)
      )
    }
    return { em: mean(sameWords), f1: mean(wordF1) }
  },
}
