import { join } from 'node:path'
import type { Remote } from './remote.ts'

export interface SshOptions {
  readonly program: string
  /** The folder of `known_hosts`. */
  readonly home: string
  readonly keyFile: string
  readonly addresses: readonly string[]
  readonly hasKnownHosts: boolean
}

/** The ssh that git starts, as a line for a shell: with this key, these hosts and nothing of the machine's own. */
export function sshCommand(
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
