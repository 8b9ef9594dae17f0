/** Contents of the last `\boxed` or `\fbox` of a solution, as the functions of Hendrycks et al. (2021) find them. */

/** The box with its command; undefined where there is none, or where it is not closed. */
function lastBox(text: string): string | undefined {
  if (text.includes('\\boxed ')) return `\\boxed ${text.slice(text.lastIndexOf('\\boxed ') + 7).split('$')[0] ?? ''}`
  return closedBox(text)
}

/** The last one in braces. */
export function closedBox(text: string): string | undefined {
  const start = text.includes('\\boxed') ? text.lastIndexOf('\\boxed') : text.lastIndexOf('\\fbox')
  if (start < 0) return undefined
  let open = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') open++
    // a closing brace before any opening one makes the count negative, and the box is never closed
    if (text[at] === '}' && --open === 0) return text.slice(start, at + 1)
  }
  return undefined
}

/** Undefined for text that is not a `\boxed`, on which the originals raise. */
function inBox(box: string): string | undefined {
  if (box.includes('\\boxed ')) return box.startsWith('\\boxed ') ? box.slice(7) : undefined
  return box.startsWith('\\boxed{') && box.endsWith('}') ? box.slice(7, -1) : undefined
}

export function boxedIn(text: string): string | undefined {
  const box = lastBox(text)
  return box === undefined ? undefined : inBox(box)
}
