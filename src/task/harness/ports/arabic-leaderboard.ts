/** The Open Arabic LLM Leaderboard (Elfilali et al. 2024): ACVA, MMLU in Arabic. */
import type { Doc } from '../doc.ts'
import { placeIn, textIn } from './columns.ts'
import type { Port } from './port.ts'

const [right, wrong] = ['صح', 'خطأ']

export const acvaDocs: Port = {
  kind: 'docs',
  run: (docs) =>
    docs.map((doc): Doc => {
      const choices = [right, wrong]
      return {
        ...doc,
        query: `السؤال: ${textIn(doc, 'question')}\nالإجابة:`,
        choices,
        gold: placeIn(choices, textIn(doc, 'answer'), 'answer'),
      }
    }),
}

const arabicLetters = ['أ', 'ب', 'ج', 'د']
const latinLetters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

export const arabicMmluDocs: Port = {
  kind: 'docs',
  run: (docs) =>
    docs.map((doc): Doc => {
      const subject = textIn(doc, 'subject').replaceAll('_', ' ')
      const options = ['A', 'B', 'C', 'D'].map((letter, i) => `${arabicLetters[i] ?? ''}. ${textIn(doc, letter)}\n`)
      const query = `الأسئلة التالية هي أسئلة متعددة الإختيارات مع الجواب الصحيح حول ${subject}. \n\n${textIn(doc, 'question')}\n${options.join('')}الإجابة:`
      return { ...doc, query, choices: arabicLetters, gold: placeIn(latinLetters, textIn(doc, 'answer'), 'answer') }
    }),
}
