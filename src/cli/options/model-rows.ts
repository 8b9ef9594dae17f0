/** Models and representations as the rows that are compared. */
import { referenceParts } from '#result/report'

/** Every model with every representation, except models that name their own: `model#h3`. */
export function rowReferences(models: readonly string[], representations: readonly string[] = ['default']): string[] {
  return models.flatMap((model) =>
    referenceParts(model).representation === undefined ? representations.map((name) => `${model}#${name}`) : [model],
  )
}

/** `model#representation` → the two of them. */
export function rowParts(reference: string): { readonly model: string; readonly representation: string } {
  const at = reference.lastIndexOf('#')
  return { model: reference.slice(0, at), representation: reference.slice(at + 1) }
}
