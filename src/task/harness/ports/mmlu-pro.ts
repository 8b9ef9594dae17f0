/** MMLU-Pro (Wang et al. 2024): up to ten choices; a letter as continuation, or an answer that is reasoned out. */
import { stripText } from '#core'
import { textIn, textsIn } from './columns.ts'
import type { Port } from './port.ts'

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

export const mmluProText: Port = {
  kind: 'field',
  run: (doc) =>
    `${textIn(doc, 'question')}\n${textsIn(doc, 'options')
      .map((option, i) => `${letters[i] ?? ''}. ${option}\n`)
      .join('')}Answer:`,
}

export const mmluProChoices: Port = { kind: 'field', run: (doc) => letters.slice(0, textsIn(doc, 'options').length) }

export const mmluProCotText: Port = {
  kind: 'field',
  run: (doc) => {
    const options = textsIn(doc, 'options').slice(0, 10)
    return `Question:\n${textIn(doc, 'question')}\nOptions:\n${options.map((option, i) => `${letters[i] ?? ''}. ${stripText(option)}\n`).join('')}Answer: Let's think step by step.`
  },
}

/** The reasoning of an example without the words that the prompt ends with. */
export const mmluProCotTarget: Port = {
  kind: 'field',
  run: (doc) => textIn(doc, 'cot_content').replaceAll("A: Let's think step by step. ", ''),
}

export const mmluProSubjects = [
  'biology',
  'business',
  'chemistry',
  'computer science',
  'economics',
  'engineering',
  'health',
  'history',
  'law',
  'math',
  'other',
  'philosophy',
  'physics',
  'psychology',
] as const
