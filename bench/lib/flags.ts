/** Flags of a bench. */

/** `--name value` as text, or the fallback. */
export function flag(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}

/** Whether `--name` is there. */
export function has(name: string): boolean {
  return process.argv.includes(`--${name}`)
}
