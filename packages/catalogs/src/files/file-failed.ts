import { StagecraftError } from '@stagecraft/spec'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a loop',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is a file',
  ERR_STRING_TOO_LONG: 'the file is too large to be read as text',
}

/** Creates the error for a file or folder that cannot be read. */
export function fileFailed(error: unknown, path: string): StagecraftError {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const known = typeof code === 'string' ? REASONS[code] : undefined
  return unreadable(path, known ?? (error instanceof Error ? error.message : String(error)), error)
}

/** Creates the error for a path, with a reason and a remedy. */
export function unreadable(
  path: string,
  reason: string,
  cause?: unknown,
  suggestion = 'check the path and that you may read it',
): StagecraftError {
  return new StagecraftError('CONNECTION_FAILED', `cannot read ${path}: ${reason}; ${suggestion}`, {
    cause,
    details: { path, reason, suggestion },
  })
}
