/**
 * What a command gets of the flags it lists: types made from the table, so that reading a flag that is not listed does
 * not compile.
 */
import type { FlagName, flags } from './flags.ts'

/**
 * The values of the flags named, under the names commander gives them: `--max-length <n>` is `maxLength`, `--no-x` is
 * `x`.
 */
export type FlagValues<Names extends FlagName = FlagName> = {
  readonly [Name in Names as Attribute<(typeof flags)[Name]['flags']>]: Given<(typeof flags)[Name]>
}

type Given<F> = F extends { fallback: unknown } ? Value<F> : Value<F> | undefined

type Value<F> = F extends { repeated: true }
  ? readonly string[]
  : F extends { parse: (text: string) => infer Parsed }
    ? Parsed
    : F extends { choices: readonly (infer Word)[] }
      ? Word
      : F extends { flags: `${string}<${string}` }
        ? string
        : F extends { flags: `${string} [${string}` }
          ? string | true
          : boolean

type Attribute<Notation extends string> = Notation extends `${string}--no-${infer Rest}`
  ? Camel<Long<Rest>>
  : Notation extends `${string}--${infer Rest}`
    ? Camel<Long<Rest>>
    : never

type Long<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text

type Camel<Text extends string> = Text extends `${infer Word}-${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Text
