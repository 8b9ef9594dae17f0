/** The table of commands as a strict parser with help. */
import { Command as Parser, Option } from 'commander'
import { fault, version } from '#core'
import type { everywhere } from '../flags/everywhere.ts'
import { type Command, groups } from '../spec/command.ts'
import type { FlagValues } from '../spec/flag-values.ts'
import type { Flag } from '../spec/flag.ts'
import { takesPath } from '../spec/path-notation.ts'
import { localPath } from './local-path.ts'
import { optionFor } from './option.ts'
import { lineHere } from './other-lines.ts'
import { withNamesHere } from './other-names.ts'

export type Everywhere = Partial<FlagValues<(typeof everywhere)[number]>>

type Values = Readonly<Record<string, unknown>>

/**
 * `run` gets the typed flags, under today's names, and a line for each old name among them. Only a command that `words`
 * name loads its flags: those of the others, some hundreds, cost more time than everything else at the start.
 */
export async function makeProgram(
  commands: readonly Command[],
  words: readonly string[],
  run: (command: Command, args: readonly string[], flags: Values, notes: readonly string[]) => Promise<void>,
): Promise<Parser> {
  const program = new Parser('strata')
    .description('Find out which representation of a language model to use, measured on the field’s own benchmarks.')
    .version(version)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    .commandsGroup('Help:')
  for (const command of commands) {
    const { name, aliases = [], group, summary, args, examples } = command.words
    const parser = program
      .command(name)
      .aliases(aliases)
      .helpGroup(`${groups[group]}:`)
      .summary(summary)
      .description(summary)
      .allowExcessArguments(false)
      .exitOverride()
    for (const [argument, help] of args) parser.argument(argument, help)
    if (![name, ...aliases].some((word) => words.includes(word))) continue
    const flags = await command.loadFlags()
    for (const flag of flags) {
      parser.addOption(optionFor(flag))
      for (const old of Object.keys(flag.formerly ?? {})) parser.addOption(oldOption(flag, old))
    }
    const lineFor = (): readonly string[] => {
      const at = words.findIndex((word) => word === name || aliases.includes(word))
      const here = lineHere(name, words.slice(at + 1), flags)
      return here === undefined ? [] : [here.line, ...here.notes]
    }
    parser.configureOutput({
      outputError: (message, write) =>
        write(
          withNamesHere(message, {
            known: parser.options.map(({ long }) => long ?? ''),
            command: name,
            line: lineFor(),
          }),
        ),
    })
    parser.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
    parser.action(async () => {
      for (const [at, [notation]] of args.entries())
        if (takesPath(notation))
          for (const given of parser.args.slice(at, notation.includes('...') ? undefined : at + 1))
            localPath(given, notation)
      const { values, notes } = currentValues(flags, parser)
      await run(command, parser.args, values, notes)
    })
  }
  return program
}

/** The same flag under a former name. */
function oldOption(flag: Flag, old: string): Option {
  const [, value = ''] = /( [<[].*)$/.exec(flag.flags) ?? []
  const { fallback: _, ...rest } = flag
  return optionFor({ ...rest, flags: `${old}${value}` }).hideHelp()
}

/** The typed flags, with old names as today's. Throws `usage.conflict` for a flag given by both of its names. */
function currentValues(flags: readonly Flag[], parser: Parser): { values: Values; notes: string[] } {
  const values: Record<string, unknown> = { ...parser.opts<Values>() }
  const notes: string[] = []
  for (const { flags: notation, formerly = {} } of flags) {
    const name = new Option(notation)
    for (const [old, more] of Object.entries(formerly)) {
      const key = new Option(old).attributeName()
      const value = values[key]
      delete values[key]
      if (value === undefined) continue
      if (parser.getOptionValueSource(name.attributeName()) === 'cli')
        throw fault('usage.conflict', {
          place: old,
          what: `is the old name of ${name.long ?? ''}, which is given too`,
          hint: `leave out ${old}`,
        })
      values[name.attributeName()] = value
      for (const other of more) values[new Option(other).attributeName()] = true
      notes.push(`${old} is now ${[name.long, ...more].join(' ')}`)
    }
  }
  return { values, notes }
}
