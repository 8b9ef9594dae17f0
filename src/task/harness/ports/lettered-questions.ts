/**
 * Questions with a line for each lettered choice, as tasks in the manner of MMLU word them (DarijaMMLU, EgyMMLU,
 * ArabicMMLU, GreekMMLU, MMLU-ProX).
 */
import { formatText } from '#platform/python'
import { type Doc, docText } from '../doc.ts'
import { textIn, textsIn } from './columns.ts'
import type { Port, Worded } from './port.ts'
import { textAt } from './wording-constants.ts'

const field = (run: Extract<Port, { kind: 'field' }>['run']): Port => ({ kind: 'field', run })
const lines = (letters: readonly string[], choices: readonly string[]): string =>
  choices.map((choice, i) => `${letters[i] ?? ''} ${choice}`).join('\n')

/** `A.`, `B.` … wherever a file has its letters. */
const lettersIn = (constants: Worded['constants']): string[] =>
  constants.filter((value): value is string => typeof value === 'string' && /^\p{L}\.$/u.test(value))

/** DarijaMMLU, EgyMMLU (Shang et al. 2025): the subject's name is a column. */
export const subjectQuestion =
  (subject: string) =>
  ({ constants }: Worded): Port =>
    field((doc) => {
      const [question, context] = [textIn(doc, 'question'), docText(doc['context'])]
      const asked = doc['context'] === '' ? question : `${context}\n\n${question}`
      return formatText(textAt(constants, 0), [
        textIn(doc, subject),
        asked,
        lines(lettersIn(constants), textsIn(doc, 'choices')),
      ])
    })

export const lettersOfChoices = ({ constants }: Worded): Port => {
  const letters = lettersIn(constants).map((letter) => letter.slice(0, -1))
  return field((doc) => letters.slice(0, textsIn(doc, 'choices').length))
}

/** GreekMMLU: subjects by their Greek names, where the file has them. */
export const greekQuestion = ({ constants }: Worded): Port => {
  const letters = lettersIn(constants)
  const names = constants.slice(1, constants.indexOf(letters[0] ?? ''))
  return field((doc) => {
    const at = names.indexOf(textIn(doc, 'subject'))
    const subject = at >= 0 && at % 2 === 0 ? textAt(names, at + 1) : textIn(doc, 'subject')
    return formatText(textAt(constants, 0), [subject, textIn(doc, 'question'), lines(letters, textsIn(doc, 'choices'))])
  })
}

/** ArabicMMLU (Koto et al. 2024), in English. */
const arabicOptions = (doc: Doc): string[] => {
  const options = [1, 2, 3, 4, 5].map((i) => docText(doc[`Option ${i}`]))
  return options.slice(0, [...options, ''].indexOf(''))
}
export const arabicQuestion = ({ constants }: Worded): Port => {
  const letters = lettersIn(constants)
  return field((doc) => {
    const [level, country, context] = ['Level', 'Country', 'Context'].map((column) => docText(doc[column])) as [
      string,
      string,
      string,
    ]
    const of = level === '' ? '' : ` for ${textAt(constants, constants.indexOf(level) + 1)}`
    const about = `${textIn(doc, 'Subject')} question${of}${country === '' ? '' : ` in ${country}`}`
    const question = context === '' ? textIn(doc, 'Question') : `${context}\n\n${textIn(doc, 'Question')}`
    return formatText(textAt(constants, 0), [about, question, lines(letters, arabicOptions(doc))])
  })
}
/** Letters of the options that hold something, also after one that does not. */
export const arabicLetters = ({ constants }: Worded): Port => {
  const letters = lettersIn(constants)
  return field((doc) =>
    letters.filter((_, i) => docText(doc[`Option ${i + 1}`]) !== '').map((letter) => letter.slice(0, -1)),
  )
}

/**
 * MMLU-ProX (Xuan et al. 2025): the words of each language are in a file that all share, under the name of the folder.
 */
export const proxQuestion =
  (answered: boolean) =>
  ({ constants, folder }: Worded): Port => {
    const at = constants.indexOf(folder)
    const [question, options, answer, , unlike] = [1, 2, 3, 4, 5].map((i) => textAt(constants, at + i)) as [
      string,
      string,
      string,
      string,
      string,
    ]
    return field((doc) => {
      const shown = Array.from('ABCDEFGHIJ').flatMap((letter, i) => {
        const option = doc[`option_${i}`]
        return option === null || option === undefined ? [] : [`${letter}. ${docText(option)}\n`]
      })
      const ending = answered ? `${textIn(doc, 'cot_content').replaceAll(unlike, () => answer)}\n\n` : answer
      return `${question}\n${textIn(doc, 'question')}\n${options}\n${shown.join('')}${ending}`
    })
  }
