/** Completion in fish, a line for each word. */
import type { CompletedCommand, CompletedFlag } from './completed.ts'

export function fishScript(commands: readonly CompletedCommand[]): string {
  return [
    '# Completion of strata in fish: put it as strata.fish in ~/.config/fish/completions',
    ...commands.flatMap(({ names, summary }) =>
      names.map((name) => `complete -c strata -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`),
    ),
    ...commands.flatMap(({ names, flags }) =>
      flags.map((flag) => `complete -c strata -n '__fish_seen_subcommand_from ${names.join(' ')}' ${words(flag)}`),
    ),
  ].join('\n')
}

function words({ long, short, help, value }: CompletedFlag): string {
  return [
    `-l ${long.slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(value === undefined ? [] : [value === 'path' ? '-r -F' : '-x']),
    ...(typeof value === 'object' ? [`-a '${value.words.join(' ')}'`] : []),
    `-d ${quoted(help)}`,
  ].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}
