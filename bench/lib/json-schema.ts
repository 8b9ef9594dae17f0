/**
 * Whether a value fits a JSON Schema, as far as the server's own document uses it: a second opinion to the checks that
 * the server makes.
 */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | object
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export function fits(schema: JsonSchema, value: unknown): boolean {
  if (schema.anyOf !== undefined && !schema.anyOf.some((one) => fits(one, value))) return false
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false
  if ('const' in schema && schema.const !== value) return false
  if (schema.type === undefined) return true
  return [schema.type].flat().some((type) => isOf(type, schema, value))
}

function isOf(type: string, schema: JsonSchema, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'boolean':
      return typeof value === 'boolean'
    case 'string':
      return typeof value === 'string' && within(value.length, schema.minLength, schema.maxLength)
    case 'integer':
    case 'number':
      return (
        typeof value === 'number' &&
        (type === 'number' ? Number.isFinite(value) : Number.isSafeInteger(value)) &&
        within(value, schema.minimum, schema.maximum) &&
        value > (schema.exclusiveMinimum ?? -Infinity)
      )
    case 'array':
      return (
        Array.isArray(value) &&
        within(value.length, schema.minItems, schema.maxItems) &&
        value.every((one) => fits(schema.items ?? {}, one))
      )
    case 'object':
      return isRecord(value) && fieldsFit(schema, value)
    default:
      throw new Error(`no such type: ${type}`)
  }
}

function fieldsFit({ properties = {}, required = [], additionalProperties }: JsonSchema, value: object): boolean {
  const entries = Object.entries(value)
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    entries.every(([name, one]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined
      return own === undefined ? additionalProperties !== false : fits(own, one)
    })
  )
}

function within(value: number, low = -Infinity, high = Infinity): boolean {
  return value >= low && value <= high
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
