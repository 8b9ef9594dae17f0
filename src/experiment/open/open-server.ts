/** A model behind a server: its tokenizer from a repository, everything else over the network. */
import type { LanguageModel } from '#core'
import { openServer, type ServerOptions } from '#model/server'
import { loadTokenizer } from '#model/tokenizer'
import { type OpenModelOptions, resolveFiles } from './open-model.ts'

export interface OpenServerOptions extends Omit<ServerOptions, 'tokenizer'> {
  /** Reference of a repository or folder whose tokenizer the server's model has. */
  readonly tokenizer: string | undefined
}

/** Throws hub faults and `tokenizer.*` for the tokenizer, and what `openServer` throws; no request is sent yet. */
export async function openServerModel(
  { tokenizer, ...options }: OpenServerOptions,
  transfer: Pick<OpenModelOptions, 'signal' | 'onProgress'> = {},
): Promise<LanguageModel> {
  return openServer({
    ...options,
    tokenizer: tokenizer === undefined ? undefined : await loadTokenizer(await resolveFiles(tokenizer, transfer)),
  })
}
