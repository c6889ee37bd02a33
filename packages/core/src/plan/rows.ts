import type { Family } from '@stagecraft/dialects'
import type { Warning } from '@stagecraft/spec'
import { printIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/parse-type.ts'
import type { DeletedRows } from './deleted-rows.ts'
import type { Key } from './key.ts'
import type { PlannedRows } from './plan.ts'
import type { Subject } from './subject.ts'

export interface RowDecision {
  readonly rows: PlannedRows
  readonly warnings: readonly Warning[]
}

/** Plans the rows that the model keeps: the newest version of each, and only live ones. */
export function planRows(
  subject: Subject,
  key: Key | undefined,
  deleted: DeletedRows | undefined,
): RowDecision {
  const deduplicate = keepsVersions(subject, key) ? planDeduplication(subject, key) : undefined
  const isLost = keepsVersions(subject, key) && !deduplicate
  return {
    rows: {
      ...(deduplicate && { deduplicate }),
      ...(deleted && subject.settings.options.deletedRows === 'filter' && { where: deleted.isLive }),
    },
    warnings: isLost ? [keyUnknown(subject)] : [],
  }
}

/** Returns true if the table may hold several versions of one row that the model should not have. */
function keepsVersions({ loader, settings }: Subject, key: Key | undefined): boolean {
  const { duplicates, loadMode } = settings.options
  if (duplicates === 'keep' || loader?.historyKey !== undefined) return false
  const isDeclared = key?.evidence === 'primary key' || key?.evidence === 'unique constraint'
  if (isDeclared && settings.dialect.ddl.enforcesKeys) return false
  return (loadMode ?? loader?.loadMode) === 'append'
}

/** Families whose values have an order in every warehouse. */
const ORDERED: ReadonlySet<Family> = new Set([
  'integer',
  'decimal',
  'float',
  'string',
  'uuid',
  'date',
  'timestamp_ntz',
  'timestamp_tz',
])

function planDeduplication(
  { columns, loader, settings }: Subject,
  key: Key | undefined,
): PlannedRows['deduplicate'] {
  const { dialect } = settings
  const orderBy = (loader?.versions ?? []).flatMap(({ column, order }) => {
    const found = columns.find(({ name }) => name.toLowerCase() === column)
    if (!found || !ORDERED.has(parseType(found.type, dialect).family)) return []
    const { earliest, newest } = dialect.idioms.orderBy
    const name = printIdentifier(found.name, dialect)
    return [(order === 'desc' ? newest : earliest).replaceAll('{x}', () => name)]
  })
  const isRowKey = key?.columns.some((name) => name.toLowerCase() === loader?.rowKey)
  if (!key || isRowKey || orderBy.length === 0) return undefined
  return {
    partitionBy: key.columns.map((name) => printIdentifier(name, dialect)),
    orderBy,
    keeps: loader?.versions[0]?.order === 'asc' ? 'earliest' : 'newest',
    numberColumn: dialect.idioms.qualify
      ? undefined
      : freeName(
          '_row_number',
          columns.map(({ name }) => name),
        ),
  }
}

function freeName(wanted: string, names: readonly string[]): string {
  const taken = new Set(names.map((name) => name.toLowerCase()))
  let free = wanted
  while (taken.has(free)) free = `_${free}`
  return free
}

function keyUnknown({ loader, name }: Subject): Warning {
  const title = loader?.title ?? 'the loader'
  return {
    code: 'KEY_UNKNOWN',
    message: `${title} may append several versions of a row to ${name.table}, and nothing says which column identifies a row; set its key in stagecraft.yml`,
  }
}
