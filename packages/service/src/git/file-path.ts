const LONGEST = 1024
const LONGEST_COMPONENT = 255

/** Code points that the file system of macOS ignores when it compares names. */
const IGNORED_BY_HFS = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/gu

/**
 * Returns the form expected of a file's path, in words that follow "expected"; undefined if it can be
 * committed.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '' || Buffer.byteLength(path) > LONGEST) return `1 to ${LONGEST} bytes`
  if (!path.isWellFormed()) return 'text that can be written as UTF-8'
  if (/[\p{Cc}\\]/u.test(path)) return 'a path with / between its parts, without control characters and \\'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'a path relative to the repository'
  const components = path.split('/')
  if (components.some((name) => name === '' || name === '.' || name === '..')) {
    return 'a path without empty parts, . and ..'
  }
  if (components.some((name) => Buffer.byteLength(name) > LONGEST_COMPONENT)) {
    return `parts of ${LONGEST_COMPONENT} bytes at most`
  }
  return components.some(isGitFolder) ? 'a path without .git' : undefined
}

/**
 * Returns true if some file system treats a name as `.git`: file systems differ in case, in ignored code points,
 * and on NTFS in short names, in dots and spaces at the end, and in streams behind a colon.
 */
function isGitFolder(name: string): boolean {
  const plain = name
    .replace(IGNORED_BY_HFS, '')
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '')
  return /^(?:\.git|git~\d+)$/i.test(plain)
}

/** Returns the parent folders of a file, outermost first: `a` and `a/b` of `a/b/c`. */
export function foldersOf(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))
}
