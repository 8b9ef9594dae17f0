/** A reference resolved. */
import type { RepoFiles, TensorSource } from '#core'

/** What a reference resolves to before anything is computed: its files, its tensors, the name results carry. */
export interface ResolvedModel {
  readonly files: RepoFiles
  /** Where config.json, tokenizer and tensors are. */
  readonly body: RepoFiles
  readonly tensors: TensorSource
  /** As in the result path: `org/name`, the folder's name, an adapter appended. */
  readonly name: string
  /** The commit; for a folder twelve digits of its content, which reads every byte once – so it is asked for only when a result needs it. */
  readonly revision: () => Promise<string>
  readonly asStatic: boolean
}
