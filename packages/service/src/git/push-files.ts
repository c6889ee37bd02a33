import { type Fault, StagecraftError } from '@stagecraft/spec'
import { type DeliveryPolicy, type Lookup, resolveEndpoint } from '@stagecraft/webhooks'
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { branchProblem } from './branch-name.ts'
import { pushFailed } from './failures.ts'
import { foldersOf, pathProblem } from './file-path.ts'
import { gitEnvironment } from './git-environment.ts'
import { type PushHome, withPushHome } from './push-home.ts'
import type { PushOptions, PushOutcome, PushPolicy } from './push-options.ts'
import { pushToBranch } from './push-to-branch.ts'
import { type Remote, readRemote } from './remote.ts'
import { type Git, createGit } from './run-git.ts'

const LONGEST_MESSAGE = 65_536

/**
 * Checks the request for a push before anything runs.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all faults.
 */
function checkPush(options: PushOptions): Remote {
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

/** Returns the faults of a remote and its credentials that can be found without connecting. */
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

/** Private networks and this machine. They exclude the addresses of metadata services. */
const PRIVATE_CIDRS = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
]
const TIMEOUT_MS = 10_000

interface ResolveRemoteOptions {
  readonly policy: PushPolicy
  readonly lookup: Lookup | undefined
  readonly signal: AbortSignal
}

const systemAddresses: Lookup = async (hostname) => await systemLookup(hostname, { all: true })

/**
 * The addresses behind the host of a remote, each of which may be connected to; none for a remote that names its
 * address, or is a path. Git gets them, so that the name cannot lead elsewhere by the time it connects.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a host that is not open; CONNECTION_FAILED for one that is not known.
 */
export async function resolveRemote(
  remote: Remote,
  { policy, lookup = systemAddresses, signal }: ResolveRemoteOptions,
): Promise<readonly string[]> {
  if (remote.protocol === 'file') return []
  const { host, port, protocol } = remote
  const addresses: string[] = []
  const recorded: Lookup = async (hostname) => {
    const found = await lookup(hostname)
    addresses.push(...found.map(({ address }) => address))
    return found
  }
  const scheme = protocol === 'http' ? 'http' : 'https'
  const url = `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`
  const resolution = await resolveEndpoint(url, {
    policy: rulesOf(remote.protocol, policy),
    lookup: recorded,
    signal,
    timeoutMs: TIMEOUT_MS,
  })
  signal.throwIfAborted()
  if (resolution === 'ok') return addresses
  throw resolution === 'unsafe' ? closedHost(protocol) : pushFailed('host_not_found')
}

function rulesOf(protocol: string, { allowPrivateHosts }: PushPolicy): DeliveryPolicy {
  return {
    allowCidrs: allowPrivateHosts ? PRIVATE_CIDRS : [],
    allowHttp: protocol === 'http',
    allowLiterals: true,
    ports: [[1, 65_535]],
  }
}

function closedHost(protocol: string): StagecraftError {
  const expected =
    protocol === 'http' ? 'https://, or a host of a private network' : 'a host that this service opens'
  const received = protocol === 'http' ? 'another host' : 'one of a private or special network'
  return StagecraftError.invalid(
    { path: 'remote', expected, received },
    { details: { reason: 'host_closed' } },
  )
}

const DEFAULT_TIMEOUT_MS = 120_000

/**
 * Commits files to a branch of a Git repository through a temporary clone. A file with different content in the branch is
 * replaced only if that content was pushed from here, or with `overwrite`.
 *
 * @throws {StagecraftError} INVALID_REQUEST for files that cannot be pushed: `details.reason` is `files_changed`,
 * `path_blocked`, `defined_twice` or `source_needed` with `details.files`, `diverged`, `rejected`, `branch` or
 * `host_closed`, or there are faults. CONNECTION_FAILED if git or the server fails; `details.reason` says why. The reason
 * of `signal` if it aborts.
 */
export async function pushFiles(options: PushOptions): Promise<PushOutcome> {
  return await withinTime(checkPush(options), options, pushToBranch)
}

/** The part of a push that identifies the repository and the access to it. */
export type CloneOptions = Pick<
  PushOptions,
  'remote' | 'credentials' | 'policy' | 'signal' | 'timeoutMs' | 'folder' | 'lookup' | 'caFile' | 'programs'
>

type SignalledOptions<Options> = Options & { readonly signal: AbortSignal }

async function throughClone<Options extends CloneOptions, Result>(
  remote: Remote,
  options: SignalledOptions<Options>,
  use: (git: Git, options: SignalledOptions<Options>) => Promise<Result>,
): Promise<Result> {
  const { credentials, folder, lookup, policy, programs, signal } = options
  const addresses = await resolveRemote(remote, { policy, lookup, signal })
  const work = async ({ home, keyFile, watch }: PushHome): Promise<Result> => {
    const environment = gitEnvironment(remote, { ...options, home, keyFile, addresses })
    const program = programs?.git ?? 'git'
    const git = createGit({ program, environment, folder: `${home}/clone`, signal, watch })
    await requireGit(git)
    return await use(git, options)
  }
  return await withPushHome(work, { folder, credentials })
}

/** Runs work with a clone within a time limit, and removes the clone. */
async function withinTime<Options extends CloneOptions, Result>(
  remote: Remote,
  options: Options,
  use: (git: Git, options: SignalledOptions<Options>) => Promise<Result>,
): Promise<Result> {
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  signal?.throwIfAborted()
  const deadline = AbortSignal.timeout(timeoutMs)
  const stop = AbortSignal.any(signal === undefined ? [deadline] : [deadline, signal])
  try {
    return await throughClone(remote, { ...options, signal: stop }, use)
  } catch (error) {
    if (deadline.aborted && error === deadline.reason) throw pushFailed('timeout')
    throw error
  }
}

/**
 * Reads from a repository through a temporary bare clone. No file of the repository is written.
 *
 * @throws {StagecraftError} As `pushFiles` does.
 */
export async function readRepository<Result>(
  options: CloneOptions & { readonly branch: string | undefined },
  use: (git: Git) => Promise<Result>,
): Promise<Result> {
  const check = readRemote(options.remote, options.policy)
  const faults = [...remoteFaults(options), ...branchFaults('branch', options.branch)]
  if (!('remote' in check) || faults.length > 0) throw StagecraftError.invalid(faults)
  return await withinTime(check.remote, options, use)
}

/** Older versions cannot take settings from the environment, so the safety settings would not apply. */
const OLDEST = [2, 31] as const

/** @throws {StagecraftError} CONNECTION_FAILED if git is missing or too old. */
async function requireGit(git: Git): Promise<void> {
  const printed = await git.read(['version'])
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(printed) ?? []
  const [oldestMajor, oldestMinor] = OLDEST
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor)
  if (isOld) throw pushFailed('git_too_old')
}
