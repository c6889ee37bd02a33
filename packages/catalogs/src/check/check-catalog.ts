import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import type { Catalog, CatalogTable } from '@stagecraft/spec'
import type { CatalogForm } from '../forms.ts'
import { parseAddress } from '../network/address.ts'
import { CONNECT_SECONDS, connectionFailed } from '../network/connection-failed.ts'
import { formOf, locateCatalog, openCatalog } from '../open.ts'
import { onStatement, type StatementReport } from '../warehouse/observe.ts'
import { checkCancel, checkCost, checkRights, checkRows, remedyOf } from './check-rows.ts'
import type { CheckStep, StepResult } from './check-step.ts'
import { countOf, timed } from './timed.ts'

export interface CheckOptions {
  /** The schema to read. Default: the schemas that the catalog reads by default. */
  readonly schema?: string | undefined
  /** Stops the check, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks a catalog step by step: its address, driver, host, port and login, every statement, the permission to read
 * rows, reading a whole table, and stopping a statement. It stops at the first failed step that the others depend on.
 * No step repeats a secret.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text that does not name a catalog; or the signal's reason.
 */
export async function* checkCatalog(
  text: string,
  options: CheckOptions = {},
): AsyncGenerator<CheckStep, void> {
  for await (const step of steps(text, options)) {
    // a step that the signal stopped has not failed
    options.signal?.throwIfAborted()
    yield step
  }
  options.signal?.throwIfAborted()
}

async function* steps(text: string, { schema, signal }: CheckOptions): AsyncGenerator<CheckStep, void> {
  const { isServer, kind, target } = locateCatalog(text)
  const form = formOf(text)
  yield { name: 'address', outcome: 'works', told: `${kind} ${target}` }
  if (isServer) yield* checkNetwork(text, form, signal)
  const [opening, catalog] = await timed(
    'connect',
    () => openCatalog(text, { signal }),
    () => 'connected and logged in',
  )
  const onAbort = (): void => catalog?.cancel?.()
  signal?.addEventListener('abort', onAbort)
  try {
    yield driverStep(form, opening)
    if (isServer || opening.outcome !== 'works') yield opening
    if (!catalog) return
    yield* checkOpened(catalog, { form, schema, signal, user: isServer ? userOf(text, form) : undefined })
  } finally {
    signal?.removeEventListener('abort', onAbort)
    await catalog?.close()
  }
}

/** Reports a missing package, which the error of opening names. */
function driverStep({ driver }: CatalogForm, opening: CheckStep): CheckStep {
  const name = 'driver'
  const { remedy = '' } = opening
  const [, missing] = /^npm install ([\w@/.-]+)/.exec(remedy) ?? []
  return missing === undefined
    ? { name, outcome: 'works', told: driver ?? 'none missing' }
    : { name, outcome: 'fails', told: `the package ${missing} cannot be loaded`, remedy }
}

function userOf(text: string, { server }: CatalogForm): string | undefined {
  return server && parseAddress(text, server).user
}

async function* checkNetwork(
  text: string,
  { server }: CatalogForm,
  signal: AbortSignal | undefined,
): AsyncGenerator<CheckStep> {
  if (!server) return
  const address = parseAddress(text, server)
  const host = server.serverOf?.(address) ?? address.host
  const { port } = address
  if (host.startsWith('/') || !/[.:]|^localhost$/.test(host)) return // a socket, or a region
  const failed = (error: unknown): never => {
    throw connectionFailed(error, { ...address, host })
  }
  const [name, addresses] = await timed(
    'host',
    () => lookup(host, { all: true }).catch(failed),
    (found) => found.map(({ address }) => address).join(', '),
  )
  yield addresses ? name : { ...name, told: `${host}: ${name.told}` }
  if (!addresses) return
  const [open] = await timed(
    'port',
    () => reach(host, port, signal).catch(failed),
    () => `${port} is open`,
  )
  yield open
}

/** Opens a connection and closes it without sending anything. */
function reach(host: string, port: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: CONNECT_SECONDS * 1000, ...(signal && { signal }) })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${CONNECT_SECONDS} s`)))
  })
}

interface Opened {
  readonly form: CatalogForm
  readonly schema: string | undefined
  readonly signal: AbortSignal | undefined
  readonly user: string | undefined
}

async function* checkOpened(
  catalog: Catalog,
  { form, schema, signal, user }: Opened,
): AsyncGenerator<CheckStep> {
  const reports: StatementReport[] = []
  const off = onStatement((report) => reports.push(report))
  const [reading, tables] = await timed(
    'tables',
    () => catalog.tables(schema === undefined ? {} : { schema: { text: schema, quoted: false } }),
    describeTables,
  )
  const [sizing, sizes] = await timed(
    'sizes',
    async () => (tables && !signal?.aborted && (await catalog.sizes?.(tables))) || [],
    (found) => `row counts of ${countOf(found.filter(({ rows }) => rows !== undefined).length, 'table')}`,
  )
  off()
  const [table] = tables ?? []
  const remedyFor = (statement: string): Pick<CheckStep, 'remedy'> => {
    const grants = form.grantsOfStatements?.[statement]
    const granted = grants === undefined ? form : { ...form, grants }
    return table ? remedyOf({ catalog, form: granted, table, user }) : {}
  }
  yield* reports.map((report) => statementStep(report, remedyFor(report.name)))
  yield reading
  for (const { message } of catalog.warnings ?? []) yield { name: 'warning', outcome: 'warns', told: message }
  if (!tables || tables.length === 0) return
  if (catalog.sizes) yield sizing
  const checked = { catalog, form, tables, sizes: sizes ?? [], signal, user }
  const [rights, readable = []] = await checkRights(checked)
  yield rights
  yield* await checkCost({ ...checked, readable })
  yield await checkRows({ ...checked, readable })
  yield await checkCancel(checked)
}

function describeTables(tables: readonly CatalogTable[]): StepResult {
  const schemas = new Set(tables.map(({ schema }) => schema))
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0)
  const told = `${countOf(tables.length, 'table')} with ${countOf(columns, 'column')} in ${countOf(schemas.size, 'schema')}`
  if (tables.length > 0) return told
  const remedy = 'name a schema that has tables, and check that the user may see them'
  return { outcome: 'fails', told: 'no visible table', remedy }
}

/** Words of permission errors in all engines. */
const IS_DENIED = /denied|permission|privilege|authoriz|insufficient|may not/i

function statementStep(
  { failure, milliseconds, name, rows }: StatementReport,
  granted: Pick<CheckStep, 'remedy'>,
): CheckStep {
  const step = { name: `statement ${name}`, milliseconds }
  return failure === undefined
    ? { ...step, outcome: 'works', told: countOf(rows ?? 0, 'row') }
    : { ...step, outcome: 'fails', told: failure, ...(IS_DENIED.test(failure) && granted) }
}
