/** Completion in bash, by `complete -F`. */
import type { CompletedCommand, CompletedFlag } from './completed.ts'

export function bashScript(commands: readonly CompletedCommand[]): string {
  return [
    '# Completion of strata in bash: eval "$(strata completion bash)"',
    '_strata() {',
    '  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= flags= i',
    '  # bash takes --flag=value apart',
    '  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi',
    '  done',
    '  COMPREPLY=()',
    '  case $command in',
    `    '') COMPREPLY=($(compgen -W '${commands.flatMap(({ names }) => names).join(' ')} help --help --version' -- "$word")); return ;;`,
    ...commands.flatMap(makeCase),
    '    *) return ;;',
    '  esac',
    '  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$word")); return; fi',
    '  compopt -o filenames; COMPREPLY=($(compgen -f -- "$word"))',
    '}',
    'complete -F _strata strata',
  ].join('\n')
}

function makeCase({ names, flags }: CompletedCommand): readonly string[] {
  const [chosen, texts] = [flags.filter(hasWords), flags.filter(({ value }) => value === 'text')]
  return [
    `    ${names.join('|')})`,
    `      flags='${flags.map(({ long }) => long).join(' ')}'`,
    ...(chosen.length + texts.length === 0 ? [] : ['      case $before in']),
    ...chosen.map(
      (flag) =>
        `        ${spellings(flag)}) COMPREPLY=($(compgen -W '${flag.value.words.join(' ')}' -- "$word")); return ;;`,
    ),
    ...(texts.length === 0 ? [] : [`        ${texts.map(spellings).join('|')}) return ;;`]),
    ...(chosen.length + texts.length === 0 ? [] : ['      esac']),
    '      ;;',
  ]
}

function hasWords(flag: CompletedFlag): flag is CompletedFlag & { readonly value: { readonly words: string[] } } {
  return typeof flag.value === 'object'
}

function spellings({ long, short }: CompletedFlag): string {
  return short === undefined ? long : `${short}|${long}`
}
