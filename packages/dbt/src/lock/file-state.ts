/** A file that is about to be written or removed, by SHA-256. */
export interface FileHashes {
  /** Of the text to write; undefined for a file that is to be removed. */
  readonly wanted: string | undefined
  /** Of what stands there; undefined for no file. */
  readonly present: string | undefined
  /** Of every text that was written there from here, as a ledger remembers them. */
  readonly written: readonly string[]
}

/** The owner of what stands in the place of a file. */
export type FileState = 'absent' | 'same' | 'ours' | 'foreign'

/**
 * Decides whose a file is where no lock says what was generated: content that was written from here is ours to replace or
 * remove, and anything else is a person's.
 */
export function fileState({ present, wanted, written }: FileHashes): FileState {
  if (present === undefined) return 'absent'
  if (present === wanted) return 'same'
  return written.includes(present) ? 'ours' : 'foreign'
}
