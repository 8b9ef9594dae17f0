/** The words for what a model is exported as, and for the types its weights are stored in. */
import type { Dtype } from '#core'

export const exportForms = ['sentence-transformers', 'transformers', 'onnx'] as const
export type ExportForm = (typeof exportForms)[number]

export const storedTypes = { float32: 'F32', float16: 'F16', bfloat16: 'BF16' } as const satisfies Record<string, Dtype>
export type StoredType = keyof typeof storedTypes
