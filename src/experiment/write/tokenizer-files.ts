/** All files that a tokenizer may be read from, in any format. */
import type { RepoFiles } from '#core'

const names =
  /^(tokenizer\.json|tokenizer_config\.json|special_tokens_map\.json|added_tokens\.json|vocab\.(json|txt)|merges\.txt|.*\.(model|spm|tiktoken|bpe)|tokenization_\w+\.py|chat_template\.(jinja|json)|additional_chat_templates\/.*)$/

export function isOfTokenizer(path: string): boolean {
  return names.test(path)
}

/** Maximum size of a tokenizer file. */
export const largestTokenizer = 256 * 2 ** 20

/** Files by path. */
export async function readTokenizerFiles(files: RepoFiles): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  for (const path of await files.list())
    if (isOfTokenizer(path)) found.set(path, await files.bytes(path, largestTokenizer))
  return found
}
