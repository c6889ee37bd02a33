import { isPublicAddress } from '@stagecraft/webhooks'
import { isIP } from 'node:net'
import type { PushPolicy } from './push-options.ts'

/** A parsed remote. git receives it in the spelling that was checked. */
export type Remote =
  | {
      readonly protocol: 'https' | 'http' | 'ssh'
      /** The form passed to git. */
      readonly address: string
      /** Name or address, without brackets. */
      readonly host: string
      readonly port: number
    }
  | { readonly protocol: 'file'; readonly address: string }

export type RemoteCheck =
  | { readonly remote: Remote }
  /** The expected and the actual form, never the remote itself, which may contain a password. */
  | { readonly problem: { readonly expected: string; readonly received: string } }

const LONGEST = 2048
const PORTS = { https: 443, http: 80, ssh: 22 } as const
const USER = /^\w[\w.+-]*$/
const HOST = /^(?:[a-z\d](?:[\w.-]*[a-z\d])?\.?|\[[\da-f:.]+\])$/i
const SCP = /^(?:([^@:/]*)@)?([^@:/]+):(.*)$/s

/** Parses a remote. Only known forms pass, so that git interprets nothing else. */
export function readRemote(text: string, policy: PushPolicy): RemoteCheck {
  if (text.length > LONGEST) return refuse(`${LONGEST} characters at most`, `${text.length}`)
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) {
    return refuse('a remote without control characters', 'some')
  }
  if (text.startsWith('/')) return readLocal(text, policy)
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return readScp(text)
  if (scheme === 'file') return readFileUrl(text, policy)
  if (scheme === 'ssh') return readSshUrl(text)
  if (scheme === 'https' || scheme === 'http') return readWebUrl(text, scheme, policy)
  return refuse('https://…, ssh://…, user@host:path or a path of the machine', `the scheme ${scheme}`)
}

function refuse(expected: string, received: string): RemoteCheck {
  return { problem: { expected, received } }
}

function readLocal(path: string, { allowLocal }: PushPolicy): RemoteCheck {
  if (!allowLocal)
    return refuse('https://…, ssh://… or user@host:path', 'a local path, which this service does not open')
  if (path.split('/').includes('..')) return refuse('a path without ..', 'one with it')
  return { remote: { protocol: 'file', address: path } }
}

function readFileUrl(text: string, policy: PushPolicy): RemoteCheck {
  const check = readLocal('/', policy)
  if ('problem' in check) return check
  const path = text.slice('file://'.length)
  if (!path.startsWith('/')) return refuse('file:/// and a path', 'file:// and a host')
  // Depending on its version, git decodes the rest or not. A plain path means the same to all versions.
  if (/[%?#]/.test(path)) return refuse('a path without %, ? and #', 'one with some of them')
  const local = readLocal(path, policy)
  return 'problem' in local ? local : { remote: { protocol: 'file', address: `file://${path}` } }
}

function readWebUrl(text: string, protocol: 'https' | 'http', policy: PushPolicy): RemoteCheck {
  const url = URL.parse(text)
  if (url === null || !HOST.test(url.hostname))
    return refuse('a URL such as https://host/path.git', 'something else')
  if (url.username !== '' || url.password !== '') {
    return refuse('a URL without user name and password, which belong in the credentials', 'one with them')
  }
  if (/[?#]/.test(url.href)) return refuse('a URL without ? and #', 'one with them')
  if (url.pathname === '/') return refuse('a URL with the path of the repository', 'one without it')
  if (protocol === 'http' && !policy.allowPrivateHosts) return refuse('https://', 'http://')
  const host = bare(url.hostname)
  // of a name, this is known only when the push looks it up
  if (protocol === 'http' && isIP(host) !== 0 && isPublicAddress(host))
    return refuse('https://, because http: is allowed only for private networks', 'a public address')
  return { remote: { protocol, address: url.href, host, port: portOf(url, protocol) } }
}

function portOf(url: URL, protocol: keyof typeof PORTS): number {
  return url.port === '' ? PORTS[protocol] : Number(url.port)
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function readSshUrl(text: string): RemoteCheck {
  const url = URL.parse(text)
  const host = url === null ? undefined : readHost(url.hostname)
  if (url === null || host === undefined)
    return refuse('a URL such as ssh://git@host/path.git', 'something else')
  if (url.password !== '') return refuse('a URL without a password', 'one with it')
  if (url.username !== '' && !USER.test(url.username)) return refuse('a plain user name', 'another')
  if (/[?#]/.test(url.href)) return refuse('a URL without ? and #', 'one with them')
  // Git strips the slash from `/~user`, and programs on the server would read a leading `-` as an option.
  if (/^\/?$|^\/~?-/.test(url.pathname))
    return refuse('a URL with the path of the repository', 'another path')
  const user = url.username === '' ? '' : `${url.username}@`
  const port = portOf(url, 'ssh')
  const address = `ssh://${user}${host}:${port}${url.pathname}`
  return { remote: { protocol: 'ssh', address, host: bare(host), port } }
}

function readScp(text: string): RemoteCheck {
  const [, user, name = '', path = ''] = SCP.exec(text) ?? []
  const host = readHost(name)
  // git treats `name::rest` as a helper program.
  if (host === undefined || path === '' || path.startsWith(':')) {
    return refuse('https://…, ssh://…, user@host:path or a path of the machine', 'something else')
  }
  if (user !== undefined && !USER.test(user)) return refuse('a plain user name', 'another')
  // The user part may contain a password.
  if (path.includes('@')) return refuse('a path without @', 'one with it')
  if (/^~?-/.test(path)) return refuse('a path that does not begin with -', 'one that does')
  const address = `${user === undefined ? '' : `${user}@`}${host}:${path}`
  return { remote: { protocol: 'ssh', address, host: bare(host), port: PORTS.ssh } }
}

/**
 * Returns a host in the form of web URLs, where `0x7f.1` is 127.0.0.1, so that the checked address is the one looked
 * up.
 */
function readHost(text: string): string | undefined {
  if (!HOST.test(text)) return undefined
  const host = URL.parse(`https://${text}/`)?.hostname
  return host !== undefined && (HOST.test(host) || isIP(host) !== 0) ? host : undefined
}
