/** A file of a tree. */
export interface TreeFile {
  /** Relative to the root, with `/` between folders: `models/staging/stg_orders.sql`. */
  readonly path: string
  /**
   * Changes whenever the content changes: the id of a blob in git, times and size on disk. Undefined when nothing but
   * the content itself tells, as for a file on disk that was written a moment ago.
   */
  readonly version: string | undefined
}

export interface ListOptions {
  /** Says whether a folder is left out, with all beneath it, by its path. @default no folder is */
  readonly skip?: (folder: string) => boolean
  /**
   * Told what is there and left out: a folder that cannot be read, a link that leads back to where it lies.
   * @default such a folder is an error, and such a link is left out without a word
   */
  readonly onLeftOut?: (path: string, reason: string) => void
}

/**
 * The files of a dbt project or of the repository around it: a folder on disk, a branch in git, an upload. Reading
 * needs no more than this; what is to be written is the answer of a plan, and whoever asked for it writes it.
 */
export interface FileTree {
  /**
   * Lists the files beneath a folder in the order of their paths; none for a folder that is not there.
   *
   * @param folder Relative to the root; `''` is the root itself.
   */
  list(folder: string, options?: ListOptions): Promise<readonly TreeFile[]>

  /**
   * Reads one file; undefined when there is none.
   *
   * @throws {StagecraftError} INVALID_REQUEST for a file that is there and cannot be read.
   */
  read(path: string): Promise<Uint8Array | undefined>
}
