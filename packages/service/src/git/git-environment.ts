import { join } from 'node:path'
import type { GitCredentials, PushOptions } from './push-options.ts'
import type { Remote } from './remote.ts'

interface SshOptions {
  readonly program: string
  /** The folder of `known_hosts`. */
  readonly home: string
  readonly keyFile: string
  readonly addresses: readonly string[]
  readonly hasKnownHosts: boolean
}

/** The ssh command line for git: with this key, these hosts, and no settings of the machine. */
function sshCommand(
  { host, port }: Extract<Remote, { readonly port: number }>,
  { program, home, keyFile, addresses, hasKnownHosts }: SshOptions,
): string {
  const [address] = addresses
  const options = {
    BatchMode: 'yes',
    ClearAllForwardings: 'yes',
    ConnectTimeout: '20',
    ForwardAgent: 'no',
    GlobalKnownHostsFile: '/dev/null',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    LogLevel: 'ERROR',
    StrictHostKeyChecking: hasKnownHosts ? 'yes' : 'accept-new',
    UpdateHostKeys: 'no',
    UserKnownHostsFile: `"${join(home, 'known_hosts')}"`,
    // ssh looks up the host key by the name, although it connects to the checked address.
    ...(address !== undefined && {
      HostName: address,
      HostKeyAlias: port === 22 ? host : `[${host}]:${port}`,
    }),
  }
  const pairs = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return [program, '-F', '/dev/null', '-i', keyFile, ...pairs].map(quote).join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Settings that keep git from running code or following redirects that a repository or server asks for. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.protectHFS': 'true',
  'core.protectNTFS': 'true',
  'core.symlinks': 'false',
  'credential.helper': '',
  // The server must also send objects that it believes are here.
  'fetch.negotiationAlgorithm': 'noop',
  'fetch.recurseSubmodules': 'false',
  'fetch.writeCommitGraph': 'false',
  'gc.auto': '0',
  'http.followRedirects': 'false',
  'http.proxy': '',
  'maintenance.auto': 'false',
  'protocol.version': '2',
  'push.gpgSign': 'false',
  'push.recurseSubmodules': 'no',
  // The clone is bare and belongs to this process.
  'safe.bareRepository': 'all',
  'submodule.recurse': 'false',
  'transfer.bundleURI': 'false',
}

interface GitPlace {
  /** The home folder of git and ssh, used by this push only. */
  readonly home: string
  /** The file of the private key for ssh; undefined without one. */
  readonly keyFile: string | undefined
  /** The addresses of the remote's host. */
  readonly addresses: readonly string[]
}

/**
 * Returns the whole environment of git. The token is in it, not in a file or an argument: only the same user of the
 * machine can see it, nothing must be executable, and git sends it to this server without a prompt.
 */
export function gitEnvironment(
  remote: Remote,
  {
    home,
    keyFile,
    addresses,
    ...options
  }: GitPlace & Pick<PushOptions, 'caFile' | 'credentials' | 'programs'>,
): Record<string, string> {
  const settings = Object.entries({
    ...SETTINGS,
    'remote.origin.url': remote.address,
    ...webSettings(remote, { addresses, ...options }),
  })
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: remote.protocol,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: home,
    GIT_CONFIG_COUNT: `${settings.length}`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    ...(remote.protocol === 'ssh' && {
      GIT_SSH_COMMAND: sshCommand(remote, {
        program: options.programs?.ssh ?? 'ssh',
        home,
        keyFile: keyFile ?? '/dev/null',
        addresses,
        hasKnownHosts: hasKnownHosts(options.credentials),
      }),
      GIT_SSH_VARIANT: 'ssh',
    }),
    ...Object.fromEntries(numbered),
  }
}

function webSettings(
  remote: Remote,
  {
    addresses,
    caFile,
    credentials,
  }: Pick<GitPlace, 'addresses'> & Pick<PushOptions, 'caFile' | 'credentials'>,
): Record<string, string> {
  if (remote.protocol !== 'https' && remote.protocol !== 'http') return {}
  const pinned = addresses.map((address) => (address.includes(':') ? `[${address}]` : address)).join(',')
  const settings: Record<string, string> = {}
  if (pinned !== '') settings['http.curloptResolve'] = `${remote.host}:${remote.port}:${pinned}`
  if (caFile !== undefined) settings['http.sslCAInfo'] = caFile
  if (credentials !== undefined && 'token' in credentials) {
    const { token, username = 'x-access-token' } = credentials
    const basic = Buffer.from(`${username}:${token}`).toString('base64')
    settings[`http.${new URL(remote.address).origin}/.extraHeader`] = `Authorization: Basic ${basic}`
  }
  return settings
}

function hasKnownHosts(credentials: GitCredentials | undefined): boolean {
  return credentials !== undefined && 'privateKey' in credentials && credentials.knownHosts !== undefined
}
