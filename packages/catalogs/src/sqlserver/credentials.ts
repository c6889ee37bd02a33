import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'

export const PRINCIPAL = 'azure-active-directory-service-principal-secret'

/** The methods of signing in, with what each cannot do without: the part of the address, and what it is. */
const METHODS: Readonly<Record<string, readonly (readonly [part: string, meaning: string])[]>> = {
  default: [['user', 'the name of a login of SQL Server']],
  'azure-active-directory-access-token': [['token', 'an access token for the database']],
  'azure-active-directory-password': [
    ['user', 'a user of Entra ID'],
    ['client_id', 'the id of an application in Entra ID that may sign in users'],
  ],
  [PRINCIPAL]: [
    ['user', 'the id of a service principal (client_id)'],
    ['password', 'the secret of the service principal (client_secret)'],
    ['tenant_id', 'the tenant of the service principal'],
  ],
  // the identity of this machine or of its user
  'azure-active-directory-default': [],
  'azure-active-directory-msi-vm': [],
  'azure-active-directory-msi-app-service': [],
}

/** @throws {StagecraftError} INVALID_REQUEST that names every missing part of the address, or the methods. */
export function assertCredentials({ option, password, user }: Address): void {
  const method = option('authentication') ?? 'default'
  const given = (part: string): string | undefined =>
    part === 'user' ? user : part === 'password' ? password() : option(part)
  const needed = METHODS[method]
  if (!needed)
    throw StagecraftError.invalid({
      path: 'authentication',
      expected: `one of ${Object.keys(METHODS).join(', ')}`,
      received: JSON.stringify(method),
    })
  const faults = needed.flatMap(([path, meaning]) =>
    given(path) === undefined ? [{ path, expected: meaning, received: 'nothing' }] : [],
  )
  if (faults.length > 0) throw StagecraftError.invalid(faults, { subject: `the login "${method}"` })
}
