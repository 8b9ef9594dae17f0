/** Repositories of the hub. */
import type { RepoType } from '#files/hub'
import { type Flag, wordsOf } from '../spec/flag.ts'

export const repoType = {
  flags: '--repo-type <type>',
  help: 'type of the repository',
  choices: wordsOf<RepoType>()(['model', 'dataset']),
  fallback: 'model',
} as const satisfies Flag

export const revision = {
  flags: '--revision <name>',
  help: 'branch, tag, commit or refs/pr/N (default: main)',
} as const satisfies Flag

export const include = {
  flags: '--include <pattern>',
  help: 'only paths that match; * matches / too; repeatable',
  repeated: true,
} as const satisfies Flag

export const exclude = {
  flags: '--exclude <pattern>',
  help: 'no paths that match; repeatable',
  repeated: true,
} as const satisfies Flag

export const token = {
  flags: '--token <token>',
  help: 'token to use instead of HF_TOKEN or the stored login',
} as const satisfies Flag
