/** Prompts, targets and choices of tasks whose functions are a line or two. */
import { fault, stripText } from '#core'
import { literalEval, pythonRegex, splitWords } from '#platform/python'
import { type Doc, docText } from '../doc.ts'
import { numberIn, placeIn, textIn, textsIn } from './columns.ts'
import type { Port } from './port.ts'

const field = (run: Extract<Port, { kind: 'field' }>['run']): Port => ({ kind: 'field', run })
const letter = (place: number): string => String.fromCharCode(65 + place)

/**
 * COPA (Roemmele et al. 2011): a premise without its period, a connector, and a choice that continues in lower case.
 */
export const copaText: Port = field((doc) => {
  const question = textIn(doc, 'question')
  const connector = { cause: 'because', effect: 'therefore' }[question]
  if (connector === undefined)
    throw fault('task.value', { place: 'copa › question', what: 'neither cause nor effect', seen: question })
  return `${Array.from(stripText(textIn(doc, 'premise')))
    .slice(0, -1)
    .join('')} ${connector}`
})
const continued = (choice: string): string => {
  const [first = '', ...rest] = choice
  return ` ${first.toLowerCase()}${rest.join('')}`
}
export const copaTarget: Port = field((doc) => continued(textIn(doc, doc['label'] === 0 ? 'choice1' : 'choice2')))
export const copaChoices: Port = field((doc) => ['choice1', 'choice2'].map((column) => continued(textIn(doc, column))))

/**
 * WSC (Levesque et al. 2012): the pronoun between asterisks in a passage without the spaces of its tokeniser; places
 * are those of words.
 */
export const wscText: Port = field((doc) => {
  const passage = textIn(doc, 'text')
  const [noun, pronoun] = [textIn(doc, 'span1_text'), textIn(doc, 'span2_text')]
  const before = splitWords(passage).slice(0, numberIn(doc, 'span2_index')).join(' ')
  const after = Array.from(passage)
    .slice(Array.from(before).length + Array.from(pronoun).length + 1)
    .join('')
  return `Passage: ${detokenized(`${before} *${pronoun}*${after}`)}\nQuestion: In the passage above, does the pronoun "*${pronoun}*" refer to "*${noun}*"?\nAnswer:`
})

function detokenized(text: string): string {
  const joined = text
    .replaceAll(" n't", "n't")
    .replaceAll(' )', ')')
    .replaceAll('( ', '(')
    .replaceAll('" ', '"')
    .replaceAll(' "', '"')
  return joined.replace(/ (['.,])/g, '$1')
}

/** LogiQA (Liu et al. 2020) and LogiQA 2. */
const lettered = (options: readonly string[]): string =>
  options
    .slice(0, 4)
    .map((option, i) => `${letter(i)}. ${option}\n`)
    .join('')
export const logiqaText: Port = field(
  (doc) =>
    `Passage: ${textIn(doc, 'context')}\nQuestion: ${textIn(doc, 'question')}\nChoices:\n${lettered(textsIn(doc, 'options'))}Answer:`,
)
export const logiqaTarget: Port = field((doc) =>
  placeIn(['a', 'b', 'c', 'd'], stripText(textIn(doc, 'label')), 'label'),
)
export const logiqa2Text: Port = field(
  (doc) =>
    `Passage: ${textIn(doc, 'text')}\nQuestion: ${textIn(doc, 'question')}\n${lettered(textsIn(doc, 'options'))}Answer:`,
)

/** MathQA (Amini et al. 2019): choices out of one text, `a ) 38 , b ) 27.675 , …`. */
const mathqaOption = pythonRegex('[abcd] \\) .*?, |e \\) .*?$')
export const mathqaChoices: Port = field((doc) =>
  mathqaOption.findAll(textIn(doc, 'options')).map((found) =>
    String(found)
      .slice(4)
      .replace(/[ ,]+$/, ''),
  ),
)

/** PubMedQA (Jin et al. 2019). */
export const pubmedqaText: Port = field(
  (doc) => `Abstract: ${textsIn(doc, 'CONTEXTS').join('\n')}\nQuestion: ${textIn(doc, 'QUESTION')}\nAnswer:`,
)

/** ToxiGen (Hartvigsen et al. 2022): toxic where both ratings together pass 5.5. */
export const toxigenTarget: Port = field((doc) =>
  Number(numberIn(doc, 'toxicity_ai') + numberIn(doc, 'toxicity_human') > 5.5),
)

/** MuSR (Sprague et al. 2024): choices are a Python list as text. */
const musrOptions = (doc: Doc): string[] => literalEval(textIn(doc, 'choices')) as unknown as string[]
export const musrChoices: Port = field(musrOptions)
export const musrText: Port = field((doc) => {
  const numbered = musrOptions(doc).map((choice, i) => `${i + 1} - ${choice}\n`)
  return `${textIn(doc, 'narrative')}\n\n${textIn(doc, 'question')}\n\n${numbered.join('')}\nAnswer:`
})

/** CrowS-Pairs (Nangia et al. 2020). */
export const crowsPairsChoices: Port = field((doc) => [docText(doc['sent_more']), docText(doc['sent_less'])])
