/** A file that is about to be written or removed, by SHA-256. */
export interface FileHashes {
  /** The hash of the text to write; undefined to remove the file. */
  readonly wanted: string | undefined
  /** The hash of the present file; undefined without one. */
  readonly present: string | undefined
  /** The hashes of all texts that were written there before, from the ledger. */
  readonly written: readonly string[]
}

/** The owner of a present file. */
export type FileState = 'absent' | 'same' | 'ours' | 'foreign'

/**
 * Decides file ownership without a lock: content that Stagecraft wrote may be replaced or removed; anything else
 * belongs to a person.
 */
export function fileState({ present, wanted, written }: FileHashes): FileState {
  if (present === undefined) return 'absent'
  if (present === wanted) return 'same'
  return written.includes(present) ? 'ours' : 'foreign'
}
