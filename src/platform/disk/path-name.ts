/** Names from outside – of tasks, models, splits – as parts of paths. */
import { sha256 } from '#core'

/**
 * A name as one part of a path. As mteb does, `/` becomes `__` and a space `_`. Everything that some system forbids,
 * hides or reads as a way out (control characters, `<>:"|?*\`, a leading or trailing dot, device names) is
 * percent-encoded, and `%` with it, so that different names stay different; long names end in a hash.
 */
export function pathName(name: string): string {
  if (name === '') return '%'
  const plain = name
    .replaceAll('/', '__')
    .replaceAll(' ', '_')
    // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
    .replace(/[\u0000-\u001f\u007f<>:"|?*\\%]|^\.|\.$|^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))./giu, percent)
    .replace(/\p{Surrogate}/gu, (half) => `%u${half.charCodeAt(0).toString(16)}`)
  return Buffer.byteLength(plain) <= longest ? plain : `${clip(plain)}~${sha256(name).slice(0, 16)}`
}

/** Bytes a part may have; systems end at 255, and endings are still to come. */
const longest = 180

function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** As many whole characters as fit next to a hash. */
function clip(name: string): string {
  let bytes = 0
  let end = 0
  for (const char of name) {
    bytes += Buffer.byteLength(char)
    if (bytes > longest - 17) break
    end += char.length
  }
  return name.slice(0, end)
}
