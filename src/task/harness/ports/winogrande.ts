/** WinoGrande (Sakaguchi et al. 2020): the sentence up to the gap with each option, and what follows the gap. */
import { fault, stripText } from '#core'
import { type Doc, docText } from '../doc.ts'
import type { Port } from './port.ts'

/** Place of the right option. */
export const winograndeText: Port = {
  kind: 'field',
  run: ({ answer }) => {
    if (answer === '1' || answer === '2') return Number(answer) - 1
    throw fault('task.value', { place: 'winogrande › answer', what: 'neither 1 nor 2', seen: answer ?? null })
  },
}

export const winograndeTarget: Port = { kind: 'field', run: (doc) => stripText(halves(doc)[1]) }

export const winograndeChoices: Port = {
  kind: 'field',
  run: (doc) => [doc['option1'], doc['option2']].map((option) => halves(doc)[0] + docText(option)),
}

function halves({ sentence }: Doc): [string, string] {
  const text = docText(sentence)
  const gap = text.indexOf('_')
  if (gap < 0) throw fault('task.value', { place: 'winogrande › sentence', what: 'has no gap', seen: text })
  return [text.slice(0, gap), text.slice(gap + 1)]
}
