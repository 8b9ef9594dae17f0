/**
 * Regular expressions of published tokenizers that run in time linear in any text. All others run in a process of their
 * own:
 * the core's engine (Oniguruma) backtracks, and aborts the process when it gives up.
 */

/**
 * GPT-2's split; also built into the core as ByteLevel's. https://github.com/openai/gpt-2/blob/master/src/encoder.py
 */
export const gpt2 = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

/**
 * cl100k and its descendants differ in how many digits go together.
 * https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py
 */
const cl100k = (digits: string): string =>
  String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|${digits}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

/** o200k splits words by case. */
const upper = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`
const lower = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*`
const o200k = (endings: string, digits: string): string =>
  `${upper}${endings}|${lower}${endings}|${digits}${String.raw`| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`}`

const linear: ReadonlySet<string> = new Set([
  gpt2,
  ...[String.raw`\p{N}`, String.raw`\p{N}{1,3}`, String.raw`\p{N}{1,2}`, String.raw`\p{N}+`].map(cl100k),
  // The first spelling of Llama 3's and Qwen's files.
  String.raw`(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  o200k(String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)?`, String.raw`\p{N}{1,3}`),
  o200k('', String.raw`\p{N}`),
  // CLIP
  String.raw`'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`,
  // BLOOM
  String.raw` ?[^(\s|[.,!?…。,、।۔،])]+`,
  // DeepSeek, Falcon, digit groups
  String.raw`\p{N}`,
  String.raw`\p{N}{1,3}`,
  String.raw`\d`,
  '[0-9]',
  '[0-9][0-9][0-9]',
  '[一-龥぀-ゟ゠-ヿ]+',
  '[一-龥ࠀ-一가-퟿]+',
  String.raw`[\r\n]`,
  String.raw`\n`,
  // SentencePiece conversions
  ' {2,}',
  ' +',
  String.raw`\s+`,
  String.raw`\s{2,}|[\n\r\t]`,
  String.raw`[\n\r\t]`,
])

/** Whether a regular expression is known to be harmless on any text. */
export function isLinear(pattern: string): boolean {
  return linear.has(pattern)
}

/** Patterns whose matches leave no character out, and match a match of theirs as a whole. */
const covering: ReadonlySet<string> = new Set([
  gpt2,
  ...[String.raw`\p{N}`, String.raw`\p{N}{1,3}`, String.raw`\p{N}{1,2}`, String.raw`\p{N}+`].map(cl100k),
])

/** A pattern of words for ASCII texts, to be matched from one end to the next; undefined for one that is not known. */
export function asciiPattern(pattern: string): RegExp | undefined {
  if (!covering.has(pattern)) return undefined
  const inBrackets = pattern.replace(/\[[^\]]*\]/g, (set) =>
    set.replaceAll('\\p{L}', 'A-Za-z').replaceAll('\\p{N}', '0-9'),
  )
  const source = inBrackets
    .replaceAll('\\p{L}', '[A-Za-z]')
    .replaceAll('\\p{N}', '[0-9]')
    .replace(
      /\(\?i:([^)]*)\)/,
      (_, endings: string) => `(?:${endings.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)})`,
    )
  return new RegExp(source, 'y')
}
