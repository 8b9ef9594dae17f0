/**
 * Which tokens are special, and what transformers adds to a tokenizer on loading it
 * (`PreTrainedTokenizerFast.__init__`, 4.57).
 */
import type { AddedToken, Definition } from './definition.ts'
import type { TokenizerClass } from './classes.ts'
import { contentOf, plainToken, type Settings, type SpecialToken, specialTokenNames } from './settings.ts'

export interface SpecialTokens {
  /** Name → content, those that are set. */
  readonly values: Readonly<Record<string, string>>
  readonly additional: readonly string[]
  /** To be added after the definition's own, in this order. */
  readonly toAdd: readonly AddedToken[]
}

export function resolveSpecialTokens(
  kind: TokenizerClass,
  settings: Settings,
  definition: Pick<Definition, 'addedTokens' | 'fixed'>,
): SpecialTokens {
  const configured = settings.added
  const known = new Map([...definition.addedTokens, ...configured].map((token) => [token.content, token]))
  const named = [...specialTokenNames, ...Object.keys(settings.special)].filter(
    (name, index, all) => all.indexOf(name) === index,
  )
  const resolved = new Map<string, SpecialToken>()
  for (const name of named) {
    const given = settings.special[name]
    const fallback = kind.special?.[name] ?? (name === 'pad_token' ? definition.fixed.padToken : undefined)
    if (given === undefined && fallback !== undefined) resolved.set(name, withMask(name, fallback, kind))
    else if (given !== undefined && given !== null)
      resolved.set(name, known.get(contentOf(given)) ?? withMask(name, given, kind))
  }
  const additional = additionalTokens(kind, settings)
  const special = uniqueByContent([...resolved.values(), ...additional])
  return {
    values: Object.fromEntries([...resolved].map(([name, token]) => [name, contentOf(token)])),
    additional: additional.map(contentOf),
    toAdd: tokensToAdd(definition.addedTokens, configured, special),
  }
}

/** Strings join only when nobody has them yet; tokens with flags always do, so that the last flags count. */
function tokensToAdd(
  existing: readonly AddedToken[],
  configured: readonly AddedToken[],
  special: readonly SpecialToken[],
): readonly AddedToken[] {
  const specialContents = new Set(special.map(contentOf))
  const latest = new Map(existing.map((token) => [token.content, token]))
  const differing = configured.filter((token) => !same(token, latest.get(token.content)))
  const wanted = [
    ...differing.map((token) => ({ ...token, special: token.special || specialContents.has(token.content) })),
    ...special,
  ]
  return wanted.flatMap((entry): readonly AddedToken[] => {
    const known = latest.get(contentOf(entry))
    if (typeof entry === 'string' && known !== undefined) return []
    const token =
      typeof entry === 'string'
        ? plainToken(entry, true)
        : { ...entry, special: entry.special || specialContents.has(entry.content) }
    if (same(token, known)) return []
    latest.set(token.content, token)
    return [token]
  })
}

function withMask(name: string, token: SpecialToken, kind: TokenizerClass): SpecialToken {
  if (name !== 'mask_token' || kind.mask === undefined || typeof token !== 'string') return token
  return {
    content: token,
    single_word: false,
    lstrip: true,
    rstrip: false,
    normalized: kind.mask.normalized,
    special: true,
  }
}

function additionalTokens(kind: TokenizerClass, settings: Settings): readonly SpecialToken[] {
  const given = settings.additionalSpecial ?? kind.additional ?? []
  if (kind.sentinels === undefined || given.some((token) => contentOf(token).includes('<extra_id_'))) return given
  return [...given, ...Array.from({ length: kind.sentinels }, (_, index) => `<extra_id_${index}>`)]
}

function uniqueByContent(tokens: readonly SpecialToken[]): readonly SpecialToken[] {
  const seen = new Map<string, SpecialToken>()
  for (const token of tokens) if (!seen.has(contentOf(token))) seen.set(contentOf(token), token)
  return [...seen.values()]
}

function same(a: AddedToken, b: AddedToken | undefined): boolean {
  return (
    b !== undefined &&
    a.content === b.content &&
    a.single_word === b.single_word &&
    a.lstrip === b.lstrip &&
    a.rstrip === b.rstrip &&
    a.normalized === b.normalized &&
    a.special === b.special
  )
}
