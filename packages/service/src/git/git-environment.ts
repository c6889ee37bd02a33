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

/** The ssh that git starts, as a line for a shell: with this key, these hosts and nothing of the machine's own. */
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
    // The host's key is looked up under its name, though its checked address is what is connected to.
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

/** The settings that keep git from acting on a repository's or a server's wishes. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.protectHFS': 'true',
  'core.protectNTFS': 'true',
  'core.symlinks': 'false',
  'credential.helper': '',
  // The server is to send also what it believes to be here.
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
  // The clone is bare, and is our own.
  'safe.bareRepository': 'all',
  'submodule.recurse': 'false',
  'transfer.bundleURI': 'false',
}

interface GitPlace {
  /** The home of git and ssh: a folder of this push alone. */
  readonly home: string
  /** The file of the private key for ssh; undefined without one. */
  readonly keyFile: string | undefined
  /** The addresses of the remote's host. */
  readonly addresses: readonly string[]
}

/**
 * All that git gets of an environment. The token is in it and not in a file or an argument: only the same user of the
 * machine sees it, nothing has to be executable, and git sends it to this one server without being asked.
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
