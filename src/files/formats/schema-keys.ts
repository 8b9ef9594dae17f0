/** The keys a zod schema knows at a path, for "did you mean". */
import type { z } from 'zod'

export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let level: z.core.$ZodType[] = unwrap(schema)
  for (const key of path) level = level.flatMap((inner) => child(inner, key)).flatMap(unwrap)
  return level.flatMap((inner) => (isObjectSchema(inner) ? Object.keys(inner._zod.def.shape) : []))
}

/** The schemas that may judge a value, without wrappers such as optional and default; several for a union. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType[] {
  const def = schema._zod.def as Partial<Record<'innerType' | 'in' | 'left' | 'right', z.core.$ZodType>> & {
    options?: z.core.$ZodType[]
    getter?: () => z.core.$ZodType
  }
  const inner = [def.innerType ?? def.in, def.left, def.right, ...(def.options ?? []), def.getter?.()].filter(
    (item) => item !== undefined,
  )
  return inner.length > 0 ? inner.flatMap(unwrap) : [schema]
}

function child(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType[] {
  if (isObjectSchema(schema))
    return Object.hasOwn(schema._zod.def.shape, key) ? [schema._zod.def.shape[String(key)]!] : []
  const def = schema._zod.def as { element?: z.core.$ZodType; valueType?: z.core.$ZodType; items?: z.core.$ZodType[] }
  return [def.element, def.valueType, def.items?.[Number(key)]].filter((item) => item !== undefined)
}

function isObjectSchema(schema: z.core.$ZodType): schema is z.core.$ZodObject {
  return schema._zod.def.type === 'object'
}
