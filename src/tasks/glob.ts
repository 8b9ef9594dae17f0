/** File-name patterns as the hub's data sets use them: `*` and `?` within a folder, `**` across folders, `[abc]`, `[0-9]`, `[!a]`, `{train,test}`. */

/** A test for whole paths. Patterns longer than 1,000 characters match nothing. */
export function globMatcher(pattern: string, { ignoreCase = false }: { ignoreCase?: boolean } = {}): (path: string) => boolean {
  if (pattern.length > 1000) return () => false
  const expression = new RegExp(`^${source(pattern)}$`, ignoreCase ? 'iu' : 'u')
  return (path) => expression.test(path)
}

export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

// runs of stars are one token, so that no pattern makes the expression backtrack over itself
const token = /\*\*+\/|\*\*+|\*|\?|\[!?[^\][/]+\]|\{[^{}]*\}|[^]/gu

function source(pattern: string): string {
  return Array.from(pattern.matchAll(token), ([part]) => {
    if (/^\*\*+\/$/.test(part)) return '(?:[^/]+/)*'
    if (/^\*\*+$/.test(part)) return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    if (/^\[.+\]$/.test(part)) return characterClass(part)
    if (/^\{.*\}$/.test(part)) return `(?:${part.slice(1, -1).split(',').map(source).join('|')})`
    return part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  }).join('')
}

function characterClass(part: string): string {
  const negated = part.startsWith('[!')
  const inner = part.slice(negated ? 2 : 1, -1).replace(/[\\^&|~]/g, '\\$&')
  return `[${negated ? '^' : ''}${inner}]`
}
