import { StagecraftError, type Table } from '@stagecraft/spec'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { findResource, type Found, lookUp } from '../resources.ts'

/** A raw table and the known facts about it. */
export interface FoundTable extends Found {
  readonly table: Table
  /** False for a table that only the warehouse or the lock has. */
  readonly isDeclared: boolean
}

/**
 * Finds a raw table: one that a source declares, or one that only the warehouse or the lock has.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a model and for an unknown table.
 */
export function findTable(view: ProjectView, wanted: string): FoundTable {
  const found = lookUp(view, wanted)
  if (!found) return findUndeclared(view, wanted) ?? refuse(findResource(view, wanted))
  const { node } = found
  const [source, name] = splitName(node.name)
  const table = node.kind === 'source' ? view.project.raw.tableOf(source, name) : undefined
  return table ? { ...found, table, isDeclared: true } : refuse(found)

  function refuse({ node: { kind } }: Found): never {
    throw kind === 'source' ? notKnown(wanted) : notRaw(wanted)
  }
}

function findUndeclared({ project }: ProjectView, wanted: string): FoundTable | undefined {
  if (!wanted.includes('.')) return undefined
  const [home, name] = splitName(wanted.replace(/^source\./, ''))
  const { index, raw } = project
  const owner =
    index.sources.find((one) => one.name === home) ?? index.sources.find(({ schema }) => schema === home)
  const source = owner?.name ?? home
  const isIt = (table: Table): boolean => (table.name ?? '').toLowerCase() === name.toLowerCase()
  const table = raw.tablesIn(source)?.find(isIt) ?? raw.formerOf(source, name)
  if (!table) return undefined
  const shown = `${source}.${table.name ?? name}`
  const place = owner ? { path: owner.path, line: owner.line } : { path: 'dbt_project.yml', line: 1 }
  return { node: { id: `source.${shown}`, kind: 'source', name: shown, ...place }, table, isDeclared: false }
}

/** Splits `shop.orders` into its source and its table. */
export function splitName(name: string): readonly [source: string, table: string] {
  const mark = name.indexOf('.')
  return [name.slice(0, mark), name.slice(mark + 1)]
}

/** Creates the error for a name that is not a raw table. */
export function notRaw(wanted: string): StagecraftError {
  return StagecraftError.invalid(
    { path: 'table', expected: 'a table of a source', received: JSON.stringify(cleanText(wanted, 100)) },
    { suggestion: 'get_resource shows models, seeds and snapshots; list_sources lists the tables' },
  )
}

function notKnown(wanted: string): StagecraftError {
  return StagecraftError.invalid(
    {
      path: 'table',
      expected: 'a raw table whose columns are known',
      received: JSON.stringify(cleanText(wanted, 100)),
    },
    {
      suggestion:
        'neither stagecraft.lock nor the warehouse has it; get_resource shows its YAML; ask the user to start stagecraft with --catalog',
    },
  )
}
