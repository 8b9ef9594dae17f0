/** Python's `str.format` for templates of plain fields: `{name}`, `{}`, `{0}`; doubled braces stand for themselves. */

/** Thrown for conversions, format specifications, and fields without a value. */
class PythonFormatError extends Error {}

/** `values`: by name, or in order. */
export function formatText(template: string, values: Readonly<Record<string, string>> | readonly string[]): string {
  let next = 0
  const named = new Map(Object.entries(values))
  return template.replaceAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g, (field, name?: string) => {
    if (field === '{{' || field === '}}') return field.charAt(0)
    const value = name === undefined ? undefined : named.get(name === '' ? String(next++) : name)
    if (value === undefined) throw new PythonFormatError(`no plain field with a value: ${field}`)
    return value
  })
}
