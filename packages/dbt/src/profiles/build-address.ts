/** The parts of a catalog's address, unescaped; undefined parts are left out. */
export interface AddressParts {
  readonly scheme: string
  readonly user: string | undefined
  readonly password: string | undefined
  /** A host, an address of IPv6, or the folder of a socket. */
  readonly host: string
  readonly port: string | undefined
  /** Database and schema, if known; a part without the one before it is left out. */
  readonly path: readonly (string | undefined)[]
  readonly options: Readonly<Record<string, string | undefined>>
}

/** Prints the address of a catalog. It contains secrets. */
export function buildAddress({ host, options, path, port, scheme, ...credentials }: AddressParts): string {
  const isSocket = host.startsWith('/')
  const name = isSocket ? '' : host.includes(':') ? `[${host}]` : encodeURIComponent(host)
  const stated = Object.entries(options).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  const query = new URLSearchParams([
    ...stated,
    ...(isSocket ? [['host', host] as [string, string]] : []),
    ...(isSocket && port !== undefined ? [['port', port] as [string, string]] : []),
  ])
  const end = path.findIndex((part) => part === undefined)
  const parts = path.slice(0, end === -1 ? undefined : end).map((part) => encodeURIComponent(part ?? ''))
  const place = `${name}${port === undefined || isSocket ? '' : `:${port}`}/${parts.join('/')}`
  return `${scheme}://${printCredentials(credentials)}${place}${query.size > 0 ? `?${query.toString()}` : ''}`
}

function printCredentials({ password, user = '' }: Pick<AddressParts, 'user' | 'password'>): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`
  const text = `${encodeURIComponent(user)}${secret}`
  return text === '' ? '' : `${text}@`
}
