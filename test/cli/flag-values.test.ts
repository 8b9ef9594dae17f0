import { Command, Option } from 'commander'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Profile } from '#task/rows'
import { commands, type FlagsOf } from '../../src/cli/commands.ts'
import { type FlagName, flags } from '../../src/cli/flags.ts'

// The type check (tsc) is what fails here: at run time these say nothing.
describe('the flags a command gets', () => {
  test('have the types of the table', () => {
    type Given = FlagsOf<'evaluate'>
    expectTypeOf<Given['json']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<Given['texts']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Given['outputFolder']>().toEqualTypeOf<string>()
    expectTypeOf<Given['profile']>().toEqualTypeOf<Profile>()
    expectTypeOf<Given['finalNorm']>().toEqualTypeOf<'native' | 'always' | undefined>()
    expectTypeOf<Given['maxLength']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Given['tasks' | 'merge']>().toEqualTypeOf<readonly string[] | undefined>()
    // by the name commander gives: --texts of `tasks` is another flag than that of `evaluate`
    expectTypeOf<FlagsOf<'tasks'>['texts']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<FlagsOf<'extract-lora'>['distributeScale']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<FlagsOf<'tokensurgeon'>['k']>().toEqualTypeOf<number>()
  })

  test('are those it lists, and no others', () => {
    const read = (values: FlagsOf<'layers'>): unknown =>
      // @ts-expect-error -- `layers` does not list --vectors
      values.vectors
    expect(read).toBeTypeOf('function')
  })
})

describe('commander', () => {
  test.each(Object.entries(commands))('names the values of %s as their types do', (_name, { flags: listed }) => {
    const command = new Command()
    const named = listed.map((name: FlagName) => {
      const option = new Option(flags[name].flags)
      command.addOption(option)
      return option.attributeName()
    })
    const camel = (notation: string): string =>
      (/--(?:no-)?([a-z_-]+)/.exec(notation)?.[1] ?? '').replace(/-([a-z])/g, (_, letter: string) =>
        letter.toUpperCase(),
      )
    expect(named).toEqual(listed.map((name: FlagName) => camel(flags[name].flags)))
  })
})
