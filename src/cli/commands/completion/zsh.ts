/** Completion in zsh, by `_arguments`. */
import type { CompletedCommand, CompletedFlag } from './completed.ts'

export function zshScript(commands: readonly CompletedCommand[]): string {
  return [
    '#compdef strata',
    '# Completion of strata in zsh: put it as _strata in a folder of $fpath',
    '_strata() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a commands',
    '    commands=(',
    ...commands.flatMap(({ names, summary }) => names.map((name) => `      ${quoted(`${name}:${summary}`)}`)),
    '    )',
    '    _describe command commands',
    '    return',
    '  fi',
    '  local command=$words[2]',
    '  shift words; (( CURRENT-- ))',
    '  case $command in',
    ...commands.flatMap(({ names, flags }) => [
      `    ${names.join('|')})`,
      '      _arguments \\',
      ...flags.map((flag) => `        ${quoted(argument(flag))} \\`),
      "        '*:file:_files'",
      '      ;;',
    ]),
    '  esac',
    '}',
    'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _strata "$@"; return; fi',
    'compdef _strata strata',
  ].join('\n')
}

function argument({ long, help, value, repeated }: CompletedFlag): string {
  const told = `${repeated ? '*' : ''}${long}${value === undefined ? '' : '='}[${help.replaceAll(/[[\]\\:]/g, String.raw`\$&`)}]`
  if (value === undefined) return told
  if (value === 'path') return `${told}:path:_files`
  return value === 'text' ? `${told}:value: ` : `${told}:value:(${value.words.join(' ')})`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
