/**
 * Which tokenizers the native core may run inside this process. Where its code can panic (which aborts the process), backtrack without end
 * or grow without bound on some text, the tokenizer gets a process of its own. Read from Hugging Face tokenizers 0.23.
 */
import { fault } from '../core/index.ts'
import { type Component, leaves } from './components.ts'
import type { Definition } from './definition.ts'
import { isLinear } from './patterns.ts'

/** The core tries every end for every start of a word: cubic in its length. Published models say 100. */
const longestWord = 200
/** Unigram copies every token that matches at a position. */
const longestToken = 256
/** A chain of replacements that could make a text this many times longer is an attack on memory. */
const mostGrowth = 1000
const longestAffix = 1000

/** Why this tokenizer must be kept apart, or undefined. Faults: `tokenizer.limit` for replacements that multiply the text. */
export function needsOwnProcess(definition: Definition, place: string): string | undefined {
  checkGrowth(definition, place)
  const parts = [definition.normalizer, definition.preTokenizer, definition.decoder].flatMap(leaves)
  return firstReason(parts) ?? modelReason(definition.model) ?? addedTokenReason(definition)
}

function firstReason(parts: readonly Component[]): string | undefined {
  for (const part of parts) {
    const pattern = part['pattern'] as { readonly Regex?: string } | undefined
    if (pattern?.Regex !== undefined && !isLinear(pattern.Regex)) return `regular expression ${pattern.Regex.slice(0, 100)}`
    // A malformed map makes the core panic, on loading or on some character.
    if (part.type === 'Precompiled') return 'precompiled character map'
    // Reads before the start of tokens shorter than what it strips.
    if (part.type === 'Strip' && part['stop'] !== undefined && part['stop'] !== 0) return 'decoder that strips ends'
  }
  return undefined
}

function modelReason(model: Definition['model']): string | undefined {
  if (model.type === 'WordPiece' && model.max_input_chars_per_word > longestWord) return 'very long words'
  if (model.type === 'Unigram' && model.vocab.some(([token]) => token.length > longestToken)) return 'very long tokens'
  return undefined
}

/** A token that eats the spaces to its right beside one made of spaces: their matches overlap, and the core slices backwards. */
function addedTokenReason({ addedTokens }: Definition): string | undefined {
  const overlap = addedTokens.some((token) => token.rstrip) && addedTokens.some(({ content }) => /^\s/.test(content))
  return overlap ? 'added tokens that overlap' : undefined
}

function checkGrowth({ normalizer, decoder }: Definition, place: string): void {
  for (const component of [normalizer, decoder]) {
    let growth = 1
    for (const part of leaves(component)) {
      growth *= growthOf(part)
      const affix = part['prepend'] ?? part['suffix']
      if (growth > mostGrowth || (typeof affix === 'string' && affix.length > longestAffix)) {
        throw fault('tokenizer.limit', { place, what: 'replacements multiply the text', seen: part.type, wanted: `at most ${mostGrowth} times` })
      }
    }
  }
}

/** How many times longer a text can get; a regular expression may match nothing at all between any two characters. */
function growthOf(part: Component): number {
  if (part.type !== 'Replace') return 1
  const content = Buffer.byteLength(part['content'] as string)
  const pattern = part['pattern'] as { readonly String?: string }
  return pattern.String === undefined ? content + 1 : Math.max(1, content / Buffer.byteLength(pattern.String))
}
