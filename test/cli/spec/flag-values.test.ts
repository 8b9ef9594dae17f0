import { Option } from 'commander'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Profile } from '#task/rows'
import { commands } from '../../../src/cli/commands.ts'
import type { flags as evaluate } from '../../../src/cli/commands/evaluate/flags.ts'
import type { flags as extractLora } from '../../../src/cli/commands/extract-lora/flags.ts'
import type { flags as layers } from '../../../src/cli/commands/layers/flags.ts'
import type { flags as tasks } from '../../../src/cli/commands/tasks/flags.ts'
import type { flags as transplant } from '../../../src/cli/commands/transplant/flags.ts'
import type { Flag } from '../../../src/cli/spec/flag.ts'
import type { FlagValues } from '../../../src/cli/spec/flag-values.ts'

type FlagsOf<Flags extends readonly Flag[]> = FlagValues<Flags[number]>

// The type check (tsc) is what fails here: at run time these say nothing.
describe('the flags a command gets', () => {
  test('have the types of its flags', () => {
    type Given = FlagsOf<typeof evaluate>
    expectTypeOf<Given['json']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<Given['texts']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Given['results']>().toEqualTypeOf<string>()
    expectTypeOf<Given['profile']>().toEqualTypeOf<Profile>()
    expectTypeOf<Given['finalNorm']>().toEqualTypeOf<'native' | 'always' | undefined>()
    expectTypeOf<Given['maxLength']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Given['tasks' | 'merge']>().toEqualTypeOf<readonly string[] | undefined>()
    // by the name commander gives: --texts of `tasks` is another flag than that of `evaluate`
    expectTypeOf<FlagsOf<typeof tasks>['texts']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<FlagsOf<typeof extractLora>['distributeScale']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<FlagsOf<typeof transplant>['k']>().toEqualTypeOf<number>()
  })

  test('are those it lists, and no others', () => {
    const read = (values: FlagsOf<typeof layers>): unknown =>
      // @ts-expect-error -- `layers` does not list --vectors
      values.vectors
    expect(read).toBeTypeOf('function')
  })
})

const listed = await Promise.all(commands.map(async ({ words, loadFlags }) => [words.name, await loadFlags()] as const))

describe.each(listed)('strata %s', (_, flags) => {
  const options = flags.map(({ flags: notation }) => new Option(notation))

  test('has the names of its values that commander gives them', () => {
    const camel = (notation: string): string =>
      (/--(?:no-)?([a-z_-]+)/.exec(notation)?.[1] ?? '').replace(/-([a-z])/g, (_match, letter: string) =>
        letter.toUpperCase(),
      )
    expect(options.map((option) => option.attributeName())).toEqual(flags.map((flag) => camel(flag.flags)))
  })

  test('lists no flag twice, and no old name that is a flag of it', () => {
    const names = options.flatMap(({ long, short }) => [long, short]).filter((name) => typeof name === 'string')
    const old = flags.flatMap(({ formerly = {} }) => Object.keys(formerly))
    expect([...names, ...old].toSorted()).toEqual([...new Set([...names, ...old])].toSorted())
  })
})
