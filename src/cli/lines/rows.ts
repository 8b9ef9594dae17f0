/** Rows of a name and its text, and bytes in words. */

/** `method      ties`: rows below each other align. */
export function row(name: string, text: string, { width = 10 }: { width?: number } = {}): string {
  return `${name.padEnd(width)}  ${text}`
}

/** Bytes for a person: `812 B`, `4.1 kB`, `12.3 MB`, `3.21 GB`. */
export function byteText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

/** Bytes of an estimate, rounded up: `13 MB`, `3.2 GB`. */
export function roughBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`
}
