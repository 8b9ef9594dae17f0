/**
 * Where a text ends and its continuation begins, in tokens – as lm-evaluation-harness splits them
 * (`TemplateLM._encode_pair`, `HFLM.tok_encode`).
 */
import { type Continuation, fault, type ScoreCall, stripText } from '#core'
import type { Encoded, Tokenizer } from './tokenizer.ts'

export interface TokenRules {
  /** Precedes a continuation without context: an id, or the tokenizer's beginning of text, or its end. */
  readonly prefixToken: number
  /** Whether special tokens are put around texts; undefined: as the tokenizer does. */
  readonly addSpecialTokens: boolean | undefined
  /**
   * Also around a continuation without context, and a text that begins with the prefix token's text: so the reference
   * reads texts for servers (`TemplateAPI.tok_encode`).
   */
  readonly everywhere?: boolean | undefined
}

/** Ids of the context, and of the scored continuation. */
export interface SplitTokens {
  readonly context: Int32Array
  readonly continuation: Int32Array
}

/**
 * Tokens of every request. White space at the context's end goes to the continuation; the continuation's tokens are
 * those of both texts together, without as many as the context has by itself. Throws `tokenizer.invalid` naming the
 * requests whose continuation is no token of its own: it has melted into the context.
 */
export async function splitRequests(
  requests: readonly Continuation[],
  tokenizer: Tokenizer,
  rules: TokenRules,
): Promise<SplitTokens[]> {
  const moved = requests.map(withMovedSpace)
  const whole = await encodeByRules(
    moved.map(({ context, continuation }) => context + continuation),
    tokenizer,
    rules,
    requests.map(({ context }) => context === ''),
  )
  const contexts = [...new Set(moved.map(({ context }) => context))]
  const encoded = await encodeByRules(contexts, tokenizer, rules)
  const byText = new Map(contexts.map((text, i) => [text, encoded[i] ?? new Int32Array(0)]))
  const split = moved.map(({ context }, i): SplitTokens => {
    const ids = whole[i] ?? new Int32Array(0)
    const before = byText.get(context) ?? new Int32Array(0)
    if (requests[i]?.context === '' || before.length === 0) return withoutContext(ids, rules.prefixToken)
    return { context: before, continuation: ids.subarray(before.length) }
  })
  return withTokens(split, requests, tokenizer)
}

/**
 * The same for a model whose encoder reads the context and whose decoder writes the continuation: each is encoded by
 * itself, the continuation without special tokens.
 * Throws as `splitRequests`.
 */
export async function splitApart(
  requests: readonly Continuation[],
  tokenizer: Tokenizer,
  rules: TokenRules,
): Promise<SplitTokens[]> {
  const moved = requests.map(withMovedSpace)
  const contexts = await encodeByRules(
    moved.map(({ context }) => context),
    tokenizer,
    rules,
  )
  const continuations = await encodeByRules(
    moved.map(({ continuation }) => continuation),
    tokenizer,
    { ...rules, addSpecialTokens: false },
  )
  const split = requests.map(({ context }, i): SplitTokens => {
    const [before = new Int32Array(0), continuation = new Int32Array(0)] = [contexts[i], continuations[i]]
    if (context === '') return withoutContext(continuation, rules.prefixToken)
    return { context: before.length === 0 ? Int32Array.of(rules.prefixToken) : before, continuation }
  })
  return withTokens(split, requests, tokenizer)
}

/** Requests that a window has room for, each with its place among all. */
export interface Fitting {
  readonly split: readonly SplitTokens[]
  readonly places: readonly number[]
}

/** Sorts out continuations of more than `room` tokens, where somebody wants to hear of them; otherwise all stay. */
export function sortOutLong(split: readonly SplitTokens[], room: number, onTooLong: ScoreCall['onTooLong']): Fitting {
  const all = split.map((_, i) => i)
  if (onTooLong === undefined) return { split, places: all }
  const tokensAt = (i: number): number => split[i]?.continuation.length ?? 0
  const [places, long] = [all.filter((i) => tokensAt(i) <= room), all.filter((i) => tokensAt(i) > room)]
  for (const i of long) onTooLong(i, { tokens: tokensAt(i), room })
  return { split: places.flatMap((i) => split[i] ?? []), places }
}

function withMovedSpace({ context, continuation }: Continuation): Continuation {
  const kept = context.slice(0, stripText(`.${context}`).length - 1)
  return { context: kept, continuation: context.slice(kept.length) + continuation }
}

/** `split`, every continuation of which has a token. */
function withTokens(split: SplitTokens[], requests: readonly Continuation[], tokenizer: Tokenizer): SplitTokens[] {
  const melted = split.flatMap(({ continuation }, i) => (continuation.length === 0 ? [i] : []))
  if (melted.length === 0) return split
  const [first = 0] = melted
  const { context = '', continuation = '' } = requests[first] ?? {}
  throw fault('tokenizer.invalid', {
    place: tokenizer.name,
    what: `${melted.length} of ${requests.length} continuations have no token of their own after their context; the first is request ${first + 1}`,
    seen: `${JSON.stringify(context.slice(-40))} + ${JSON.stringify(continuation.slice(0, 40))}`,
    hint: 'an empty choice, or a tokenizer that melts the two into one token: change target_delimiter',
  })
}

/**
 * A context that is empty, or nothing but white space, is the prefix token; a continuation that begins with that token
 * brings it along.
 */
function withoutContext(ids: Int32Array, prefixToken: number): SplitTokens {
  return ids[0] === prefixToken
    ? { context: ids.subarray(0, 1), continuation: ids.subarray(1) }
    : { context: Int32Array.of(prefixToken), continuation: ids }
}

/**
 * `bare`: texts that get no special tokens. Where special tokens are asked for, a text that begins with the prefix
 * token's text gets no second one.
 */
export async function encodeByRules(
  texts: readonly string[],
  tokenizer: Tokenizer,
  rules: TokenRules,
  bare: readonly boolean[] = [],
): Promise<Int32Array[]> {
  const [prefix] = tokenizer.tokens([rules.prefixToken])
  const without = texts.map(
    (text, i) =>
      rules.everywhere !== true &&
      (bare[i] === true || (prefix !== undefined && prefix !== '' && text.startsWith(prefix))),
  )
  const parts = [true, false].map((plain) => texts.filter((_, i) => without[i] === plain))
  const [plain = [], wrapped = []] = await Promise.all(
    parts.map(async (own, i): Promise<Encoded[]> =>
      own.length === 0
        ? []
        : tokenizer.encodeBatch(own, { addSpecialTokens: i === 0 ? false : rules.addSpecialTokens }),
    ),
  )
  let [a, b] = [0, 0]
  return without.map((own) => (own ? plain[a++] : wrapped[b++])?.ids ?? new Int32Array(0))
}
