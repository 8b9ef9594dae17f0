/**
 * When two tokenizers' tokens mean the same: by role for special tokens, by text for others, however a tokenizer writes
 * the beginning of a word.
 */

/** Tokens of one tokenizer. */
export interface TokenTable {
  /** Id → token; undefined for an id that no token has. */
  readonly tokens: readonly (string | undefined)[]
  /** `bos_token`, `eos_token`, … → token. */
  readonly special: Readonly<Record<string, string>>
}

/** How a tokenizer writes. */
export interface Script {
  /** In front of a token that begins a word. */
  readonly wordStart: 'Ġ' | '▁'
  /** Token → first of its roles. */
  readonly roles: ReadonlyMap<string, string>
  /** Every byte has a character of its own (GPT-2), and all tokens are written in those. */
  readonly byteLevel: boolean
}

/** Roles in the order in which transformers names them: a token with several counts by the first. */
const roleOrder = ['bos_token', 'eos_token', 'unk_token', 'sep_token', 'pad_token', 'cls_token', 'mask_token']

export function scriptOf({ tokens, special }: TokenTable): Script {
  const own = tokens.filter((token) => token !== undefined)
  const share = (is: (token: string) => boolean): number =>
    own.reduce((count, token) => count + (is(token) ? 1 : 0), 0) / Math.max(1, own.length)
  const [marked, underlined] = [share((token) => token.startsWith('Ġ')), share((token) => token.startsWith('▁'))]
  const roles = new Map<string, string>()
  for (const role of roleOrder) {
    const token = special[role]
    if (token !== undefined && !roles.has(token)) roles.set(token, role)
  }
  if (underlined > marked) return { wordStart: '▁', roles, byteLevel: false }
  // Added tokens may hold any character; a vocabulary of words may hold a Ġ.
  const byteLevel =
    marked > 0.005 && share((token) => Array.from(token).every((character) => byteOf.has(character))) > 0.9
  return { wordStart: 'Ġ', roles, byteLevel }
}

/**
 * Equal for tokens that mean the same. The first letter says what the rest is: w text of a word's beginning, s role, t
 * token.
 */
export function tokenKey(token: string, { wordStart, roles }: Script): string {
  if (token.startsWith(wordStart)) return `w${token.slice(wordStart.length)}`
  const role = roles.get(token)
  return role === undefined ? `t${token}` : `s${role}`
}

/** Keys of a token's beginnings, longest first; none for special tokens. */
export function prefixKeys(key: string): string[] {
  if (key.startsWith('s')) return []
  const characters = Array.from(key.slice(1))
  const keys: string[] = []
  for (let end = characters.length - 1; end > 0; end--) {
    const prefix = characters.slice(0, end).join('')
    if (prefix.trim() === '') break
    keys.push(key.slice(0, 1) + prefix)
  }
  return keys
}

/**
 * Key in another tokenizer's writing of the byte that a token stands for, if it stands for one: `<0x41>` there for `A`
 * here, and the other way round. Where every byte has a character of its own, that one is meant; elsewhere a character
 * beyond ASCII is no single byte.
 */
export function byteKey(token: string, own: Script, other: Script): string | undefined {
  const written = /^<0x([0-9A-Fa-f]{2})>$/.exec(token)
  if (written !== null) {
    const byte = Number.parseInt(written[1] ?? '', 16)
    const ascii = byte < 0x80 ? String.fromCharCode(byte) : undefined
    const character = other.byteLevel ? byteCharacters[byte] : ascii
    return character === undefined ? undefined : tokenKey(character, other)
  }
  const ascii = token.length === 1 && token.charCodeAt(0) < 0x80 ? token.charCodeAt(0) : undefined
  const byte = own.byteLevel ? byteOf.get(token) : ascii
  return byte === undefined ? undefined : `t<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`
}

/**
 * What a token says, for another tokenizer to cut: a word's beginning has a space before it, and bytes are put together
 * to the text they are.
 */
export function tokenText(token: string, script: Script): string {
  const { wordStart, roles, byteLevel } = script
  if (roles.has(token)) return token
  const rest = token.startsWith(wordStart) ? token.slice(wordStart.length) : token
  return (rest === token ? '' : ' ') + (byteLevel ? textOfBytes(rest) : rest)
}

/** Bytes that are no whole text stay as they are written. */
function textOfBytes(token: string): string {
  const bytes = Array.from(token, (character) => byteOf.get(character))
  if (!bytes.every((byte) => byte !== undefined)) return token
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes))
  } catch {
    return token
  }
}

/**
 * GPT-2's alphabet: printable bytes are themselves, the others the characters from U+0100 on, in order.
 * github.com/openai/gpt-2, `encoder.py`.
 */
const byteCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte)
  .map((byte) => ({ byte, printable: (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad) }))
  .map(({ byte, printable }, _, all) =>
    String.fromCharCode(printable ? byte : 256 + all.slice(0, byte).filter((one) => !one.printable).length),
  )
const byteOf: ReadonlyMap<string, number> = new Map(byteCharacters.map((character, byte) => [character, byte]))
