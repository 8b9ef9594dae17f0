/**
 * Where long work leaves what is finished, so that a killed run goes on from there. Only `experiment` knows the disk
 * behind it.
 */

export interface Checkpoints {
  /** What was saved last under this name; undefined when there is nothing that can be used. */
  load(name: string): Promise<Uint8Array | undefined>
  /** Whole or not at all; durable when it returns. */
  save(name: string, bytes: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
}
