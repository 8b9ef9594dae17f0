/**
 * Values of the flags that a command lists: types derived from the flags, so that reading a flag that is not listed
 * does not compile.
 */
import type { Flag } from './flag.ts'

/**
 * The values of flags, under the names commander gives them: `--max-length <n>` is `maxLength`, `--no-x` is `x`. Takes
 * a union: `FlagValues<typeof threads | (typeof reading)[number]>`.
 */
export type FlagValues<Flags extends Flag> = {
  readonly [One in Flags as Attribute<One['flags']>]: Given<One>
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
