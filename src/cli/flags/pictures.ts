/** Pictures of scores. */
import type { Background } from '#result/pictures'
import { type Flag, wordsOf } from '../spec/flag.ts'

export const plot = {
  flags: '--plot <file>',
  help: 'file for a picture of the scores, .svg or .png',
} as const satisfies Flag

export const background = {
  flags: '--background <name>',
  help: 'background that pictures are drawn for',
  choices: wordsOf<Background>()(['light', 'dark']),
  fallback: 'light',
} as const satisfies Flag
