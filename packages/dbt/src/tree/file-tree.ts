/** A file of a tree. */
export interface TreeFile {
  /** Relative to the root, with `/` between folders: `models/staging/stg_orders.sql`. */
  readonly path: string
  /**
   * Changes whenever the content changes: the id of a blob in git, times and size on disk. Undefined if only the
   * content shows changes, as for a file written a moment ago.
   */
  readonly version: string | undefined
}

export interface ListOptions {
  /** Returns true to leave out a folder and everything below it. @default none */
  readonly skip?: (folder: string) => boolean
  /**
   * Called with skipped paths: an unreadable folder, or a link to one of its own parents.
   * @default an unreadable folder is an error, and such a link is skipped silently
   */
  readonly onLeftOut?: (path: string, reason: string) => void
}

/**
 * The files of a dbt project or of the repository around it: a folder on disk, a branch in git, an upload. It only
 * reads; changes are returned as a plan, which the caller writes.
 */
export interface FileTree {
  /**
   * Lists the files below a folder, ordered by path; none for a missing folder.
   *
   * @param folder Relative to the root; `''` is the root itself.
   */
  list(folder: string, options?: ListOptions): Promise<readonly TreeFile[]>

  /**
   * Reads one file; undefined if it does not exist.
   *
   * @throws {StagecraftError} INVALID_REQUEST for an unreadable file.
   */
  read(path: string): Promise<Uint8Array | undefined>
}
