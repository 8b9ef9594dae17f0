/** Rows of a name and its text. */

/** `method      ties`: aligned rows. */
export function row(name: string, text: string, { width = 10 }: { width?: number } = {}): string {
  return `${name.padEnd(width)}  ${text}`
}
