/** Format and settings of an export. */
import type { ExportForm, StoredType } from '#representation/export'
import { type Flag, wordsOf } from '../spec/flag.ts'

export const form = {
  flags: '--as <form>',
  help: 'what the folder is for',
  choices: wordsOf<ExportForm>()(['sentence-transformers', 'transformers', 'onnx']),
  fallback: 'sentence-transformers',
} as const satisfies Flag

export const storedType = {
  flags: '--dtype <type>',
  help: 'type of the stored weights (default: the one they have)',
  choices: wordsOf<StoredType>()(['float32', 'float16', 'bfloat16']),
} as const satisfies Flag

export const normalize = { flags: '--normalize', help: 'vectors of length 1' } as const satisfies Flag
