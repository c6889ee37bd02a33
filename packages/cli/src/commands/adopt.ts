import { relative, resolve } from 'node:path'
import { isExcluded, lookUpKey } from '@stagecraft/core/run'
import { changeLock, type Lock, LOCK_FILE, type LockedTable, writeChanges } from '@stagecraft/dbt'
import { type Config, StagecraftError } from '@stagecraft/spec'
import { loadConfig } from '../files/load-config.ts'
import { changesOf } from '../project/apply-plan.ts'
import { type OpenProject, openProject, withProjectLock } from '../project/open-project.ts'
import type { PlanFlags } from '../project/make-plan.ts'
import type { ProjectFlags } from '../project/project-flags.ts'
import type { RowsFlags } from './observe.ts'
import { schemaOf } from '../project/select-tables.ts'
import { paint } from '../terminal/paint.ts'
import { makePlanFor } from './plan.ts'

export type AdoptFlags = Omit<ProjectFlags, 'all' | keyof PlanFlags | keyof RowsFlags>

/** `stagecraft adopt`: follows the tables of existing models from now on. Writes only the lock. */
export function adoptCommand(paths: readonly string[], flags: AdoptFlags): Promise<void> {
  return withProjectLock(flags.projectDir, () => adopt(paths, flags))
}

async function adopt(paths: readonly string[], flags: AdoptFlags): Promise<void> {
  const project = await openProject(flags.projectDir, { ...flags, writes: true })
  const own = new Set(paths.map((path) => inProject(path, project)))
  const sources = [...new Set([...own].map((path) => sourceOf(path, project)))]
  const { made } = await makePlanFor(sources, flags, { adopt: own })
  const followed = made.plan.files.filter(({ action, path }) => own.has(path) && action === 'unchanged')
  const missing = [...own].filter((path) => !followed.some((file) => file.path === path))
  if (missing.length > 0) throw alreadyFollowed(missing, project, made.plan.lock)
  const known = new Set([...project.lock.values()].map(({ model }) => model.path))
  await writeLock(project, made.plan.lock, 'adopt')
  // Later changes of settings are found by comparing with the output of today's rules.
  project.texts.add(made.plan.generated)
  for (const { path } of followed)
    process.stderr.write(known.has(path) ? `${path} already follows its table\n` : `adopted ${path}\n`)
}

/** Only one model can follow a table. */
function alreadyFollowed(paths: readonly string[], project: OpenProject, lock: Lock): StagecraftError {
  const texts = paths.map((path) => {
    const source = sourceOf(path, project)
    const other = [...lock.values()].find(({ item }) => item.request.source === source)
    const name = other?.model.name ?? 'another model'
    return project.lock.has(source)
      ? `${name} follows ${source}; run stagecraft forget ${name} first`
      : `${name} reads ${source} too, and only one model can follow it; adopt one of them`
  })
  return refusal(paths.join(', '), texts.join('; '))
}

/** `stagecraft forget`: stops following tables, by their models, files, names or schemas. Writes only the lock. */
export function forgetCommand(
  names: readonly string[],
  flags: Pick<ProjectFlags, 'projectDir'>,
): Promise<void> {
  return withProjectLock(flags.projectDir, () => forget(names, flags))
}

async function forget(names: readonly string[], flags: Pick<ProjectFlags, 'projectDir'>): Promise<void> {
  const project = await openProject(flags.projectDir, { writes: true })
  const found = names.flatMap((name) => {
    const path = relative(project.root, resolve(name))
    const found = [...project.lock].filter(
      ([key, { item, model }]) =>
        [key, model.name, model.path, schemaOf(item.request.source)].includes(name) || model.path === path,
    )
    if (found.length > 0) return found.map(([key]) => key)
    const meant = likeName(name, project.lock)
    const hint = meant.length > 0 ? `; did you mean ${meant.join(' or ')}?` : ''
    throw refusal(name, `expected a model, file, table or schema (shop.*) that ${LOCK_FILE} names${hint}`)
  })
  const keys = [...new Set(found)]
  await writeLock(
    project,
    changeLock(
      project.lock,
      keys.map((key) => [key, undefined]),
    ),
    'forget',
  )
  process.stderr.write(keys.map((key) => `forgot ${key}; its files stay\n`).join(''))
  const { config } = await loadConfig(undefined, project.root)
  const again = keys.filter((key) => comesBack(project.lock.get(key), config, project))
  if (again.length > 0)
    process.stderr.write(
      `${paint('cyan', 'note')} stagecraft.yml lists the schema, so the next apply writes a model again for ${again.join(', ')}; exclude: true for the table there stops that\n`,
    )
}

/** Returns true for a table whose model is missing, in a schema that is followed as a whole. */
function comesBack(locked: LockedTable | undefined, config: Config, { view }: OpenProject): boolean {
  if (!locked || view.models.some(({ path }) => path === locked.model.path)) return false
  const { database, name = '', schema = '' } = locked.item.table
  const keys = [`${database ?? ''}.${schema}`, schema].map((key) => lookUpKey(config.sources, key))
  const isListed = keys.some((key) => key !== undefined)
  return isListed && !isExcluded(config, { database, schema, table: name }, { isSchemaNamed: false })
}

/** Returns the first three tables of the lock whose names contain a text. */
function likeName(name: string, lock: Lock): readonly string[] {
  const wanted = name.toLowerCase()
  const names = [...lock].map(([key, { item, model, source }]) => ({
    key,
    names: [
      item.table.name,
      model.name,
      source?.table,
      model.path
        .split('/')
        .at(-1)
        ?.replace(/\.sql$/, ''),
    ],
  }))
  const isIn = (text: string | undefined): boolean => text?.toLowerCase().includes(wanted) ?? false
  const exact = names.filter((one) => one.names.some((text) => text?.toLowerCase() === wanted))
  const close = names.filter((one) => [one.key, ...one.names].some(isIn))
  return (exact.length > 0 ? exact : close).map(({ key }) => key).slice(0, 3)
}

async function writeLock(project: OpenProject, lock: Lock, command: string): Promise<void> {
  writeChanges(project.root, await changesOf({ files: [], lock }, project), { command })
}

/** Returns the project path of a file, whatever folder the command runs in. */
function inProject(path: string, { root, view }: OpenProject): string {
  const candidates = [relative(root, resolve(path)), path].map((one) => one.replaceAll('\\', '/'))
  const found = candidates.find((one) => view.models.some((model) => model.path === one))
  if (found !== undefined) return found
  throw refusal(path, 'expected the SQL file of a model of this project')
}

/** Returns the source name of the table that a model reads. */
function sourceOf(path: string, { lock, view }: OpenProject): string {
  const known = [...lock.values()].find(({ model }) => model.path === path)
  if (known) return known.item.request.source
  const reads = view.models.find((model) => model.path === path)?.reads ?? []
  const [read, ...others] = reads
  if (!read || others.length > 0)
    throw refusal(
      path,
      `expected a model that reads one table of a source, got one that reads ${reads.length}`,
    )
  const declared = view.sources
    .filter(({ name }) => name === read.source)
    .flatMap((source) =>
      source.tables.filter(({ name }) => name === read.table).map((table) => ({ source, table })),
    )
  const [found] = declared
  if (found?.source.schema !== undefined)
    return `${quoted(found.source.schema)}.${quoted(found.table.identifier)}`
  throw refusal(
    path,
    `expected source('${read.source}', '${read.table}') to be declared with a schema that is known`,
  )
}

function quoted(name: string): string {
  return /^\w+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

function refusal(path: string, message: string): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', `${path}: ${message}`, {
    details: { faults: [{ path, expected: message, received: path }] },
  })
}
