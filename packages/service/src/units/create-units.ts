import { type Fault, type GenerationOptions, type ModelType, StagecraftError } from '@stagecraft/spec'
import type { ApiData } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { type Change, change } from '../change.ts'
import { findConnection } from '../connections/stored-connection.ts'
import type { ServiceContext } from '../context.ts'
import { insertBatch } from '../generations/generation-handlers.ts'
import { askedColumn } from '../generations/read-generations.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { newestScan } from '../sources/scanned-catalog.ts'
import { chunksOf } from '../store/rows.ts'
import type { Database, UnitRow } from '../store/schema.ts'
import { modelNamer } from './model-namer.ts'
import { unitData } from './units.ts'

/** The maximum number of units in one request. */
const MOST = 10_000

/** The maximum number of units in a response. */
const MOST_LISTED = 1000

/** A requested unit, which may already exist. */
interface Wanted {
  readonly source: string
  readonly name: string
}

/** Creates units of scanned tables, all or none of them. Generates them if requested. */
export async function createUnits(
  context: ServiceContext,
  call: CallOf<'createUnits'>,
): ReplyOf<'createUnits'> {
  const {
    body,
    caller: { projectId, scopes },
  } = call
  if (body.generate && !scopes.includes('generate')) throw lacksScope()
  const { id: connectionId } = await findConnection(context, { connectionId: body.connectionId, projectId })
  await newestScan(context, { connectionId, projectId })
  const all = await scannedNames(context.store.db, { connectionId, projectId })
  const nameOf = await modelNamer(context.store, { projectId, connectionId: body.connectionId })
  const wanted = selectNames(all, body).map((source): Wanted => ({
    source,
    name: nameOf({ type: body.type, source }),
  }))
  if (wanted.length > MOST) throw tooMany(wanted.length)
  if (body.dryRun) {
    const known = await findUnits(context.store.db, projectId, body.type, wanted)
    return { data: toAnswer(wanted, known, new Set()), status: 200 }
  }
  const data = await change(context, projectId, async (tx) => {
    if (body.connectionId !== undefined) await tx.own('connections', body.connectionId, { lock: 'share' })
    const created = await insertUnits(tx, wanted, body)
    await tx.publishAll('unit.created', created.map(unitData))
    const units = await findUnits(tx.db, projectId, body.type, wanted)
    const answer = toAnswer(wanted, units, new Set(created.map(({ id }) => id)))
    if (!body.generate || units.size === 0) return answer
    tx.wakeAfter('jobs')
    const { columns = 'live' } = body
    const asked = askedColumn('createUnits', call)
    const base = { id: tx.ids.next('gen'), project_id: projectId, columns, ...asked }
    const batch = await insertBatch(tx, base, [...units.values()])
    return { ...answer, generationId: batch.id }
  })
  return { data }
}

async function scannedNames(
  db: Kysely<Database>,
  { connectionId, projectId }: { readonly connectionId: string; readonly projectId: string },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('source_tables')
    .select('name')
    .where('connection_id', '=', connectionId)
    .where('project_id', '=', projectId)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

interface Shared {
  readonly type: ModelType
  readonly options?: GenerationOptions | undefined
  readonly connectionId?: string | undefined
}

/** Units that another request created are not changed. */
async function insertUnits(
  tx: Change,
  wanted: readonly Wanted[],
  { connectionId, options = {}, type }: Shared,
): Promise<readonly UnitRow[]> {
  const now = await tx.now()
  const created: UnitRow[] = []
  for (const chunk of chunksOf(wanted)) {
    const rows = chunk.map(({ name, source }): UnitRow => {
      const times = { created_at: now, updated_at: now }
      const settings = { type, options: JSON.stringify(options), connection_id: connectionId ?? null }
      const id = tx.ids.next('unit')
      return {
        id,
        project_id: tx.projectId,
        version: 1,
        ...times,
        name,
        source,
        ...settings,
        last_generation_id: null,
        source_changed_at: null,
        edited_at: null,
      }
    })
    const inserted = await tx.db
      .insertInto('units')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['project_id', 'type', 'source']).doNothing())
      .returningAll()
      .execute()
    created.push(...inserted)
  }
  // `returning` guarantees no order.
  return created.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Returns the ids of units by their sources. */
async function findUnits(
  db: Kysely<Database>,
  projectId: string,
  type: ModelType,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const chunk of chunksOf(wanted.map(({ source }) => source))) {
    const rows = await db
      .selectFrom('units')
      .select(['id', 'source'])
      .where('project_id', '=', projectId)
      .where('type', '=', type)
      .where('source', 'in', chunk)
      .execute()
    for (const { id, source } of rows) found.set(source, id)
  }
  return found
}

function toAnswer(
  wanted: readonly Wanted[],
  known: ReadonlyMap<string, string>,
  created: ReadonlySet<string>,
): ApiData['createUnits'] {
  const units = wanted.map(({ name, source }) => {
    const unitId = known.get(source)
    const isNew = unitId === undefined || created.has(unitId)
    return { source, name, ...(unitId !== undefined && { unitId }), isNew }
  })
  const fresh = units.filter(({ isNew }) => isNew).length
  return {
    matched: units.length,
    created: fresh,
    existing: units.length - fresh,
    units: units.slice(0, MOST_LISTED),
  }
}

function tooMany(count: number): StagecraftError {
  const expected = `a selection of at most ${MOST} tables`
  return StagecraftError.invalid({ path: 'select', expected, received: String(count) })
}

function lacksScope(): StagecraftError {
  return new StagecraftError('FORBIDDEN', 'the key lacks the scope "generate"', {
    details: { scope: 'generate' },
  })
}

interface Selection {
  /** Names and patterns. Default: all. */
  readonly select?: readonly string[] | undefined
  /** Names and patterns to exclude. Default: none. */
  readonly exclude?: readonly string[] | undefined
}

/**
 * Selects names: `raw.stripe.payments`, `raw.stripe.*`, in any case. A star stands for any characters.
 *
 * @throws {StagecraftError} INVALID_REQUEST with every pattern that selects nothing.
 */
export function selectNames(
  names: readonly string[],
  { exclude = [], select = ['*'] }: Selection,
): readonly string[] {
  const patterns = select.map(toPattern)
  const faults = patterns.flatMap((pattern, index): readonly Fault[] =>
    names.some(pattern)
      ? []
      : [
          {
            path: `select.${index}`,
            expected: 'the name of a scanned table, or a pattern of some: raw.stripe.*',
            received: JSON.stringify(select[index]),
          },
        ],
  )
  if (faults.length > 0) throw StagecraftError.invalid(faults)
  const others = exclude.map(toPattern)
  return names.filter(
    (name) => patterns.some((pattern) => pattern(name)) && !others.some((other) => other(name)),
  )
}

type Pattern = (name: string) => boolean

/** Searches for each part after the previous one, which takes time proportional to the name. */
function toPattern(text: string): Pattern {
  const [first = '', ...rest] = text.toLowerCase().split('*')
  const last = rest.pop()
  return (name) => {
    const lower = name.toLowerCase()
    if (last === undefined) return lower === first
    if (!lower.startsWith(first)) return false
    let at = first.length
    for (const part of rest) {
      const found = lower.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return lower.length - last.length >= at && lower.endsWith(last)
  }
}
