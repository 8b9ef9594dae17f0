/** Everything that can move a score, as one hash: equal fingerprints mean that running again would give the same result. */
import { fingerprint, type ResultSettings } from '#core'

export interface FingerprintParts {
  /** Identity of the model's tensors and config (`TensorSource.identity()` and what goes with it). */
  tensors: string
  /** Hash of the tokenizer's files. */
  tokenizer: string
  /** Every setting with its real value, defaults included: a default that changes later must not make old results look current. */
  settings: ResultSettings
  /** Representation by name; for a combination of layers, its name holds the hash of its inputs. */
  representation: string
  /** The task as it is asked: name, type, splits, metrics, parameters. */
  task: unknown
  /** Revision of the data set, or a hash of its rows where it has none. */
  data: string
  profile: string
  /** Version of our own arithmetic for this task type; raised whenever a change moves scores. */
  arithmetic: string
}

/**
 * Hex SHA-256 over the parts as canonical JSON (keys sorted, absent fields left out). Not in it, on purpose: time, machine, threads, batch size,
 * cache folder, the program's version, and the subsets chosen – scores are kept by subset, and each is the same whoever else was asked for.
 */
export function fingerprintOf({ tensors, tokenizer, settings, representation, task, data, profile, arithmetic }: FingerprintParts): string {
  return fingerprint({ tensors, tokenizer, settings, representation, task, data, profile, arithmetic })
}
