/** A model as configurations name it: text, or mergekit's object forms, which become the same text. */
import type { Zod } from '#files/formats'

// oxlint-disable-next-line typescript/explicit-function-return-type -- the schema is its type
export function referenceSchema(z: Zod) {
  const place = z.union([z.string(), z.strictObject({ path: z.string(), revision: z.string().nullish() })])
  return z
    .union([
      z.string(),
      z.strictObject({ model: place, lora: place.nullish(), override_architecture: z.string().nullish() }),
      z.strictObject({ path: z.string(), revision: z.string().nullish() }),
    ])
    .transform((given): string => {
      if (typeof given === 'string') return given
      const text = (one: string | { path: string; revision?: string | null | undefined }): string => {
        if (typeof one === 'string') return one
        return one.revision ? `${one.path}@${one.revision}` : one.path
      }
      return 'path' in given ? text(given) : `${text(given.model)}${given.lora ? `+${text(given.lora)}` : ''}`
    })
}
