/** A line of csv as a spreadsheet reads it: values at full length, nothing that it would take for a formula. */

/** RFC 4180: comma, CRLF. A missing value is an empty field. */
export function csvLine(values: readonly (string | number | bigint | boolean | null)[]): string {
  return `${values.map(field).join(',')}\r\n`
}

/**
 * A text that begins as a formula does gets an apostrophe, which spreadsheets take away (OWASP, CSV injection). Numbers
 * are numbers.
 */
function field(value: string | number | bigint | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
