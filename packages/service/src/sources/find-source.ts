import { StagecraftError } from '@stagecraft/spec'
import { findEntry } from '@stagecraft/catalogs'
import { parseSourceName } from '@stagecraft/core'
import type { ServiceContext } from '../context.ts'
import { sourceDialect } from '../scans/read-sources.ts'
import type { SourceTableRow } from '../store/schema.ts'
import { newestScan, storedEntries } from './scanned-catalog.ts'

interface Place {
  readonly projectId: string
  readonly connectionId: string
}

/**
 * The stored table of that dotted name: the very same, else the one that the name means in the dialect of the catalog.
 *
 * @throws {StagecraftError} INVALID_SOURCE with near names when there is none; INVALID_REQUEST for a text that is no
 * name, and for a connection that was never scanned.
 */
export async function findSource(
  context: ServiceContext,
  name: string,
  place: Place,
): Promise<SourceTableRow> {
  const row = name.includes('\0') ? undefined : await storedSource(context, name, place)
  if (row) return row
  const { dialect } = await newestScan(context, place)
  const source = parseSourceName(name, sourceDialect(dialect))
  const { dottedName } = findEntry(
    source,
    await storedEntries(context, place.connectionId),
    'the newest scan',
  )
  const meant = await storedSource(context, dottedName, place)
  if (!meant) throw StagecraftError.unknownId('source', dottedName, 'name') // a scan has removed it just now
  return meant
}

async function storedSource(
  { store }: ServiceContext,
  name: string,
  { connectionId, projectId }: Place,
): Promise<SourceTableRow | undefined> {
  return store.db
    .selectFrom('source_tables')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst()
}
