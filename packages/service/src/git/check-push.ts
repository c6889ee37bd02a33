import { type Fault, StagecraftError } from '@stagecraft/spec'
import { branchProblem } from './branch-name.ts'
import { foldersOf, pathProblem } from './file-path.ts'
import type { PushOptions } from './push-options.ts'
import { readRemote, type Remote } from './remote.ts'

const LONGEST_MESSAGE = 65_536

/**
 * Checks what a push is asked to do, before anything is done.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all faults.
 */
export function checkPush(options: PushOptions): Remote {
  const check = readRemote(options.remote, options.policy)
  const faults = [
    ...remoteFaults(options),
    ...branchFaults('branch', options.branch),
    ...branchFaults('baseBranch', options.baseBranch),
    ...commitFaults(options),
    ...fileFaults(options),
  ]
  if ('remote' in check && faults.length === 0) return check.remote
  throw StagecraftError.invalid(faults)
}

/** Returns the faults of a remote and its credentials that show without connecting. */
function remoteFaults(options: Pick<PushOptions, 'remote' | 'credentials' | 'policy'>): readonly Fault[] {
  const check = readRemote(options.remote, options.policy)
  return 'problem' in check
    ? [{ path: 'remote', ...check.problem }]
    : credentialFaults(options.credentials, check.remote)
}

function branchFaults(path: string, name: string | undefined): readonly Fault[] {
  const expected = name === undefined ? undefined : branchProblem(name)
  return expected === undefined ? [] : [{ path, expected, received: JSON.stringify(name) }]
}

function credentialFaults(credentials: PushOptions['credentials'], { protocol }: Remote): readonly Fault[] {
  const given = credentials === undefined ? 'none' : 'token' in credentials ? 'a token' : 'a private key'
  const fault = (expected: string, received = given): readonly Fault[] => [
    { path: 'credentials', expected, received },
  ]
  if (protocol === 'ssh') return given === 'a private key' ? [] : fault('a private key for ssh')
  if (protocol === 'file') return given === 'none' ? [] : fault('none for a path')
  if (given === 'a private key') return fault('a token for https')
  if (credentials === undefined || !('token' in credentials)) return []
  const { token, username = 'x' } = credentials
  if (token === '' || /\p{Cc}/u.test(token)) return fault('a token without control characters', 'another')
  return /^[^:\p{Cc}]+$/u.test(username)
    ? []
    : fault('a user name without : and control characters', 'another')
}

function commitFaults({ author, message, trailers = {} }: PushOptions): readonly Fault[] {
  const faults: Fault[] = []
  const check = (isRight: boolean, path: string, expected: string): void => {
    if (!isRight) faults.push({ path, expected, received: 'another' })
  }
  const isIdentity = (text: string): boolean => text.trim() !== '' && /^[^<>\p{Cc}]*$/u.test(text)
  check(isIdentity(author.name), 'author.name', 'a name without <, > and control characters')
  check(isIdentity(author.email), 'author.email', 'an address without <, > and control characters')
  check(
    message.trim() !== '' && message.length <= LONGEST_MESSAGE && !message.includes('\0'),
    'message',
    `a text of at most ${LONGEST_MESSAGE} characters, without NUL`,
  )
  for (const [name, value] of Object.entries(trailers)) {
    const isTrailer = /^[a-z\d][a-z\d-]*$/i.test(name) && /^[^\p{Cc}]*$/u.test(value) && value.trim() !== ''
    check(isTrailer, `trailers.${name}`, 'a name of letters, digits and -, and a text of one line')
  }
  return faults
}

function fileFaults({ files, gone }: PushOptions): readonly Fault[] {
  if (files.length === 0 && gone === undefined)
    return [{ path: 'files', expected: 'at least one file', received: 'none' }]
  const seen = new Set<string>()
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)))
  return files.flatMap(({ path }, index) => {
    const isRepeated = seen.has(path)
    seen.add(path)
    const expected =
      pathProblem(path) ??
      (isRepeated ? 'each path once' : undefined) ??
      (folders.has(path) ? 'a file that is not also a folder of another' : undefined)
    return expected === undefined
      ? []
      : [{ path: `files.${index}.path`, expected, received: JSON.stringify(path) }]
  })
}
