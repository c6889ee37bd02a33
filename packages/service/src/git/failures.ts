import { StagecraftError } from '@stagecraft/spec'

/** The reasons why git failed and their remedies, in fixed words, because git's own messages contain addresses. */
const PUSH_FAILURES = {
  authentication: [
    'the credentials were rejected',
    'the user name and the token or key, and that they have not expired',
  ],
  forbidden: ['the credentials may not write to the repository', 'their scopes and the role of their user'],
  private_key: ['the private key cannot be read', 'that it is a complete key without a passphrase'],
  host_key: ['the host key does not match the known hosts', 'the known hosts'],
  not_found: ['repository not found', 'the remote, and that the credentials give access to it'],
  not_git: ['there is no Git repository', 'the remote'],
  ownership: ['the repository belongs to another user of the machine', 'the owner of its folder'],
  host_not_found: ['host not found', 'the spelling of the host'],
  refused: ['connection refused', 'host and port, and that the server runs'],
  unreachable: ['host unreachable', 'the network and the host'],
  tls: ['the certificate of the server is not trusted, or TLS fails', 'the certificate'],
  redirect: [
    'the server redirects, which is not followed',
    'the remote, and use the address that it redirects to',
  ],
  server: ['the server failed', 'its state, and try again'],
  rate: ['the server limits the number of requests', 'its limits, and try again later'],
  lost: ['the connection was lost', 'the network, and try again'],
  timeout: ['timed out', 'that the server responds, and try again'],
  moved: ['the branch was deleted during the push', 'the branch, and try again'],
  disk: ['no space left', 'the disk of the service and of the server'],
  git_missing: ['git is not installed', 'that git 2.31 or newer is installed on the machine of the service'],
  git_too_old: ['git is too old', 'that git 2.31 or newer is installed on the machine of the service'],
  too_much: ['the server sent too much', 'that the remote is the right one'],
} as const satisfies Record<string, readonly [reason: string, check: string]>

export type PushFailure = keyof typeof PUSH_FAILURES

/**
 * The messages of git, curl and ssh with LC_ALL=C, and of hosts; the first match counts. Keys and credentials
 * come first, because the message about the lost connection follows them.
 */
const PATTERNS: readonly (readonly [pattern: RegExp, failure: PushFailure])[] = [
  [
    /Load key .*(?:invalid format|error in libcrypto|incorrect passphrase)|invalid private key/i,
    'private_key',
  ],
  [/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i, 'host_key'],
  [/marked as read.only|Permission to \S+ denied|Write access to repository not granted/i, 'forbidden'],
  [/not allowed to (?:push|upload) code|returned error: 403|HTTP 403/i, 'forbidden'],
  [/Repository not found|returned error: 404|repository '.*' not found/i, 'not_found'],
  [
    /project you were looking for could not be found|does not exist or you do not have permission/i,
    'not_found',
  ],
  [/Authentication failed|could not read (?:Username|Password)|returned error: 401/i, 'authentication'],
  [
    /Permission denied \(|Too many authentication failures|Invalid username or (?:password|token)/i,
    'authentication',
  ],
  [/detected dubious ownership/i, 'ownership'],
  // The last one is the result of a push to a server without the smart protocol.
  [
    /does not appear to be a git repository|is this a git repository|not a git repository|git-http-push/i,
    'not_git',
  ],
  [/unable to update url base from redirection|returned error: 3\d\d/i, 'redirect'],
  [
    /Could not resolve host|Name or service not known|Temporary failure in name resolution/i,
    'host_not_found',
  ],
  [/SSL|TLS|certificate|schannel/i, 'tls'],
  [/timed? ?out|too slow/i, 'timeout'],
  [/Connection refused|Failed to connect|Couldn't connect/i, 'refused'],
  [/No route to host|Network is unreachable|Host is down/i, 'unreachable'],
  [/No space left on device|Out of diskspace|Disk quota exceeded/i, 'disk'],
  [/returned error: 429/i, 'rate'],
  [/returned error: 5\d\d/i, 'server'],
  [/couldn't find remote ref/i, 'moved'],
  [/hung up|early EOF|Connection (?:closed|reset)|Broken pipe|RPC failed|Empty reply|Recv failure/i, 'lost'],
]

/** Returns the reason in a program's output; undefined if it is not recognized. */
export function findFailure(printed: string): PushFailure | undefined {
  return PATTERNS.find(([pattern]) => pattern.test(printed))?.[1]
}

/** Refusals, after which the server has changed nothing. */
const REFUSALS: readonly PushFailure[] = [
  'authentication',
  'forbidden',
  'private_key',
  'host_key',
  'not_found',
  'not_git',
  'ownership',
  'tls',
  'redirect',
  'git_missing',
  'git_too_old',
]

/**
 * Returns true if a push that failed like this may have arrived: the server accepted it, and its response was lost.
 */
export function mayHaveArrived(error: unknown): boolean {
  if (!(error instanceof StagecraftError) || error.code !== 'CONNECTION_FAILED') return false
  return !REFUSALS.some((failure) => PUSH_FAILURES[failure][0] === error.details?.['reason'])
}

/** Creates the error for a failed push. It has no cause, because the output of programs may contain secrets. */
export function pushFailed(failure: PushFailure): StagecraftError {
  const [reason, check] = PUSH_FAILURES[failure]
  return connectionFailed(reason, `check ${check}`)
}

/** Creates the error for a program that failed with unknown output. */
export function gitFailed(command: string, status: number | string): StagecraftError {
  return connectionFailed(
    `git ${command} failed with ${status}`,
    'check the remote and the state of its server',
  )
}

function connectionFailed(reason: string, suggestion: string): StagecraftError {
  return new StagecraftError('CONNECTION_FAILED', `Git failed: ${reason}; ${suggestion}`, {
    details: { part: 'git', reason, suggestion },
  })
}
