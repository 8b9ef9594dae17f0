/** Prompts that a function fills from columns, the prompt being a text of its file: AfriMMLU, AfriXNLI, MAFAND. */
import { fault } from '#core'
import { formatText, literalEval } from '#platform/python'
import { type Doc, docText, type DocValue } from '../doc.ts'
import { numberIn, rowIn, textIn } from './columns.ts'
import type { Port, Worded } from './port.ts'
import { type Constants, firstBefore, mapOf, textAfter, valueOf } from './wording-constants.ts'

const field = (run: Extract<Port, { kind: 'field' }>['run']): Port => ({ kind: 'field', run })

/** Choices that a column holds as a Python list. */
const literalChoices = (doc: Doc): readonly DocValue[] => literalEval(textIn(doc, 'choices')) as unknown as DocValue[]
export const choicesInLiteral: Port = field(literalChoices)

/** AfriMMLU (Adelani et al. 2024): `{subject}` in some prompts, `{question}`, `{choice1}` … `{choice4}`. */
export const afriMmluText =
  (columns: readonly string[]) =>
  (constants: Constants): Port | undefined => {
    const prompt = firstBefore(constants, ['choices', ...columns, 0, 1, 2, 3])
    return prompt === undefined
      ? undefined
      : field((doc) => {
          const choices = literalChoices(doc)
          return formatText(prompt, {
            ...Object.fromEntries(columns.map((column) => [column, docText(doc[column])])),
            ...Object.fromEntries([1, 2, 3, 4].map((i) => [`choice${i}`, docText(choices[i - 1])])),
          })
        })
  }

/** AfriXNLI: `{premise}`, `{hypothesis}`. */
export const pairText = (constants: Constants): Port | undefined => {
  const prompt = firstBefore(constants, ['premise', 'hypothesis'])
  return prompt === undefined
    ? undefined
    : field((doc) => formatText(prompt, { premise: textIn(doc, 'premise'), hypothesis: textIn(doc, 'hypothesis') }))
}

/** The word of a label: a map from numbers, then the column. */
export const wordOfLabel = (constants: Constants): Port | undefined => {
  const column = constants.at(-1)
  const words = mapOf(constants.slice(0, -1))
  return typeof column === 'string' && [...words.keys()].every((key) => typeof key === 'number')
    ? field((doc) => valueOf(words, numberIn(doc, column), column))
    : undefined
}

/** MAFAND (Adelani et al. 2022): an African language, and English or else French. */
function translation(doc: Doc): { own: string; text: string; other: 'en' | 'fr'; otherText: string } {
  const texts = rowIn(doc, 'translation')
  const own = Object.keys(texts).find((key) => key !== 'en' && key !== 'fr')
  if (own === undefined)
    throw fault('task.value', {
      place: 'translation',
      what: 'no text in an African language',
      seen: Object.keys(texts),
    })
  const other = Object.hasOwn(texts, 'en') ? 'en' : 'fr'
  return { own, text: textIn(texts, own), other, otherText: textIn(texts, other) }
}
export const mafandTarget: Port = field((doc) => translation(doc).otherText)
export const mafandReverseTarget: Port = field((doc) => translation(doc).text)
const mafandNames = 21
/** Fields of the file's formatted text are the names between its braces. */
export const mafandText = ({ constants }: Worded): Port => {
  const names = mapOf(constants.slice(0, 2 * mafandNames))
  const prompt = textAfter(constants, ['French', 'translation'])
  return field((doc) => {
    const { own, text, other, otherText } = translation(doc)
    const name = valueOf(names, own, 'translation')
    const language = other === 'en' ? 'English' : 'French'
    const reverse = prompt.includes('languages[target_lang]')
    return formatText(prompt, {
      'languages[source_key]': name,
      'languages[target_lang]': name,
      source_lang: language,
      source_sentence: reverse ? otherText : text,
    })
  })
}
