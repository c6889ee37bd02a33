import {
  closeContext,
  createProjectKey,
  listAllKeys,
  revokeAnyKey,
  type ServiceContext,
} from '@stagecraft/service'
import { type Scope, SCOPES } from '@stagecraft/spec/api'
import { StagecraftError } from '@stagecraft/spec'
import { openServiceContext } from './open-service-context.ts'
import { type DataFlags, readServiceSettings } from './service-settings.ts'
import { createLogger } from './create-logger.ts'

export interface CreateKeyFlags extends DataFlags {
  readonly project?: string
  readonly scopes: string
  readonly expires?: string
}

/** `stagecraft keys create`: prints the key to standard output, once. */
export async function createKeyCommand(name: string, flags: CreateKeyFlags): Promise<void> {
  const scopes = readScopes(flags.scopes)
  const expiresAt = flags.expires === undefined ? undefined : readTime(flags.expires)
  await withStore(flags, async (context) => {
    const { project, row, secret } = await createProjectKey(
      { name, scopes, expiresAt, projectId: flags.project },
      context,
    )
    process.stderr.write(`${row.id} for ${project.name} (${project.id}), shown once:\n`)
    process.stdout.write(`${secret}\n`)
  })
}

/** `stagecraft keys list`. */
export async function listKeysCommand(flags: DataFlags): Promise<void> {
  await withStore(flags, async (context) => {
    for (const { key, project } of await listAllKeys(context)) {
      const state = key.revokedAt ? 'revoked' : key.expiresAt ? `until ${key.expiresAt}` : 'valid'
      const used = key.lastUsedAt ? `used ${key.lastUsedAt}` : 'never used'
      const cells = [key.id, project.id, key.hint, key.scopes.join(','), state, used, key.name]
      process.stdout.write(`${cells.join('\t')}\n`)
    }
  })
}

/** `stagecraft keys revoke`. */
export async function revokeKeyCommand(id: string, flags: DataFlags): Promise<void> {
  await withStore(flags, async (context) => {
    await revokeAnyKey(id, context)
    process.stderr.write(`revoked ${id}\n`)
  })
}

async function withStore(flags: DataFlags, work: (context: ServiceContext) => Promise<void>): Promise<void> {
  const settings = readServiceSettings(flags, process.env)
  const context = await openServiceContext(settings, { existing: true, logger: createLogger('warn') })
  try {
    await work(context)
  } finally {
    await closeContext(context)
  }
}

function readScopes(text: string): readonly Scope[] {
  return text.split(',').map((part) => {
    const scope = SCOPES.find((known) => known === part.trim())
    if (scope) return scope
    throw invalid('scopes', `some of ${SCOPES.join(',')}`, JSON.stringify(part))
  })
}

function readTime(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw invalid('expires', 'a time such as 2027-01-31', JSON.stringify(text))
  return time
}

function invalid(path: string, expected: string, received: string): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', `--${path}: expected ${expected}, got ${received}`, {
    details: { faults: [{ path, expected, received }] },
  })
}
