/** Returns the last part of a path: `stg_orders.sql`. */
export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns the name of a file without its extension: `stg_orders`. */
export function stem(path: string): string {
  return basename(path).replace(/\.[^.]+$/, '')
}

/** Returns true if a path lies in one of the folders. */
export function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === '' || path.startsWith(`${folder}/`))
}

/** Returns the folders that a path lies in: `a/b/c.sql` lies in `a` and in `a/b`. */
export function foldersOf(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))
}

/** Returns the folder of a file; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}
