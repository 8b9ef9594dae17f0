#!/usr/bin/env node
/**
 * The program: a table of commands, strict flags, one place where faults become words and exit codes (0 ok, 1 something
 * failed, 2 usage).
 */
import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { Fault } from '#core'
import type { CommandSpec } from './command.ts'
import { commands, type CommandName } from './commands.ts'
import type { FlagValues } from './flag-values.ts'
import type { Flag } from './flag.ts'
import { flags, type FlagName } from './flags.ts'
import { runCommand } from './run-command.ts'
import { openTerminal, quiet } from './terminal.ts'

type Everywhere = Partial<FlagValues<'json' | 'quiet' | 'debug'>>

const program = new Command('strata')
  .description('Which representation of a language model should I use – measured on the field’s own benchmarks.')
  .version(
    (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version,
  )
  .showSuggestionAfterError(true)
  .exitOverride()
  .configureHelp({ showGlobalOptions: false })

const terminal = openTerminal()
let exitCode = 0
/** Flags of the command that runs. */
let given: Everywhere = {}
let failure: unknown

for (const name of Object.keys(commands) as CommandName[]) {
  const { summary, args, flags: listed, examples }: CommandSpec = commands[name]
  const command = program.command(name).summary(summary).description(summary).allowExcessArguments(false).exitOverride()
  for (const [argument, help] of args) command.argument(argument, help)
  for (const flag of listed) command.addOption(optionOf(flag))
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
  command.action(async () => {
    given = command.opts<Everywhere>()
    const asked = given.quiet === true || given.json === true ? quiet(terminal) : terminal
    try {
      exitCode = await runCommand(name, command.args, command.opts(), asked)
    } catch (error) {
      failure = failureOf(error)
    }
  })
}

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  exitCode = error.exitCode === 0 ? 0 : 2
}
const lost = await terminal.close()
// A reader that has seen enough, such as `head`, is no failure.
if (lost?.parts.seen === 'EPIPE') exitCode = 0
else if (lost !== undefined || failure !== undefined) exitCode = report(lost ?? failure)
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
function report(error: unknown): number {
  const known = error instanceof Fault ? error : undefined
  if (given.json === true) {
    terminal.print(
      JSON.stringify({
        error: { code: known?.code ?? 'internal', message: message(error), hint: known?.hint ?? null },
      }),
    )
  }
  terminal.complain(`error ${known?.code ?? 'internal'}  ${message(error)}`)
  for (const line of known?.hint?.split('\n') ?? []) terminal.complain(`  ${line}`)
  if (known === undefined && given.debug !== true)
    terminal.complain('  this is a defect: run again with --debug and report what it prints')
  if (given.debug === true && error instanceof Error)
    for (const line of error.stack?.split('\n') ?? []) terminal.complain(line)
  return exitCodeOf(known)
}

/** 2 for what was asked wrongly, 1 for what went wrong. */
function exitCodeOf(known: Fault | undefined): number {
  return known?.code.startsWith('usage.') || known?.code === 'task.unknown' || known?.code === 'representation.unknown'
    ? 2
    : 1
}

/** What a command that was stopped throws is the stop itself, unless it says better how to go on. */
function failureOf(error: unknown): unknown {
  const { aborted, reason } = terminal.signal
  const better = error instanceof Fault && (error.code !== 'run.cancelled' || error.hint !== undefined)
  return aborted && !better ? reason : error
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
