import { StagecraftError } from '@stagecraft/spec'

/** The remedy for each error code of the file system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'nothing can be created there',
  EACCES: 'permission denied; check the permissions of this user',
  EPERM: 'permission denied; check the permissions of this user',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ELOOP: 'its links form a loop',
  ENXIO: 'the reader of this pipe has closed it',
  EIO: 'the disk failed',
  EISDIR: 'there is a folder of that name',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'a part of its path is a file, not a folder',
  ENAMETOOLONG: 'the name is too long for the file system',
}

/** Describes an error of the file system; undefined for any other error. */
export function fileReason(error: unknown): string | undefined {
  return REASONS[error instanceof Error && 'code' in error ? String(error.code) : '']
}

/** Creates the error for a file that cannot be read or written; rethrows other errors. */
export function fileFault(error: unknown, file: string): unknown {
  const reason = fileReason(error)
  if (reason === undefined) return error
  return new StagecraftError('INVALID_REQUEST', `${file}: expected a file to read or write, but ${reason}`, {
    cause: error,
    details: { faults: [{ path: file, expected: 'a file', received: reason }] },
  })
}
