#!/usr/bin/env node
/** The program: a table of commands, strict flags, one place where faults become words and exit codes (0 ok, 1 something failed, 2 usage). */
import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { Fault } from '#core'
import type { CommandSpec } from './command.ts'
import { commands, type CommandName } from './commands.ts'
import type { FlagValues } from './flag-values.ts'
import { flags, type Flag, type FlagName } from './flags.ts'
import { runCommand } from './run-command.ts'
import { openTerminal } from './terminal.ts'

type Everywhere = FlagValues<'json' | 'quiet' | 'debug'>

const program = new Command('strata')
  .description('Which representation of a language model should I use – measured on the field’s own benchmarks.')
  .version((JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version)
  .showSuggestionAfterError(true)
  .exitOverride()
  .configureHelp({ showGlobalOptions: false })

let exitCode = 0

for (const name of Object.keys(commands) as CommandName[]) {
  const { summary, args, flags: listed, examples }: CommandSpec = commands[name]
  const command = program.command(name).summary(summary).description(summary).allowExcessArguments(false).exitOverride()
  for (const [argument, help] of args) command.argument(argument, help)
  for (const flag of listed) command.addOption(optionOf(flag))
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
  command.action(async () => {
    const everywhere = command.opts<Everywhere>()
    const terminal = openTerminal({ quiet: everywhere.quiet === true || everywhere.json === true })
    try {
      exitCode = await runCommand(name, command.args, command.opts(), terminal)
    } catch (error) {
      exitCode = report(error, everywhere)
    } finally {
      terminal.close()
    }
  })
}

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  exitCode = error.exitCode === 0 ? 0 : 2
}
process.exitCode = exitCode

function optionOf(name: FlagName): Option {
  const { flags: notation, help, choices, fallback, repeated, parse }: Flag = flags[name]
  const option = new Option(notation, help)
  if (choices) option.choices(choices)
  if (fallback !== undefined) option.default(fallback)
  if (repeated === true) option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text])
  if (parse) {
    option.argParser((text: string) => {
      try {
        return parse(text)
      } catch (error) {
        throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
      }
    })
  }
  return option
}

/** One line of what happened, one of what to do. A stack only for `--debug`, or for what is a defect of ours. */
function report(error: unknown, values: Everywhere): number {
  const known = error instanceof Fault ? error : undefined
  if (values.json === true) {
    console.log(JSON.stringify({ error: { code: known?.code ?? 'internal', message: message(error), hint: known?.hint ?? null } }))
  }
  console.error(known ? `error ${known.code}  ${known.message}` : `error internal  ${message(error)}`)
  if (known?.hint !== undefined) console.error(`  ${known.hint}`)
  if (known === undefined && values.debug !== true) console.error('  this is a defect: run again with --debug and report what it prints')
  if (values.debug === true && error instanceof Error) console.error(error.stack)
  return known?.code.startsWith('usage.') || known?.code === 'task.unknown' || known?.code === 'representation.unknown' ? 2 : 1
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
