import type { Dialect, Family } from '@stagecraft/dialects'
import type { Column, Warning } from '@stagecraft/spec'
import type { DeletedMark } from '../loaders/loader.ts'
import { printIdentifier, printLiteral } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'
import { cast, wrapLines } from './conversions.ts'
import type { Key, PlannedRows, SqlLines } from './plan.ts'
import type { Subject } from './subject.ts'

/** The way to distinguish deleted rows of a table from live ones. */
export interface DeletedRows {
  readonly column: Column
  /** True for live rows, never null. */
  readonly isLive: string
  /** True for deleted rows, false for all others. */
  readonly isDeleted: SqlLines
  /** True if the column is a plain flag, so `is_deleted` replaces it. */
  readonly replacesColumn: boolean
}

/** Returns the mark that the table's loader puts on rows that the source system deleted. */
export function findDeletedRows({ columns, loader, settings }: Subject): DeletedRows | undefined {
  for (const mark of loader?.deleted ?? []) {
    const column = columns.find(({ name }) => name.toLowerCase() === mark.column)
    if (column && canHold(mark, column, settings.dialect)) return describeMark(mark, column, settings.dialect)
  }
  return undefined
}

/** Returns true if the type suits the mark. A column of that name with another type does not belong to the loader. */
function canHold({ when }: DeletedMark, { type }: Column, dialect: Dialect): boolean {
  const { family } = parseType(type, dialect)
  if (when === 'time') return true
  return family === 'boolean' || family === 'string' || (when === 'flag' && isNumber(family))
}

function isNumber(family: Family): boolean {
  return family === 'integer' || family === 'decimal'
}

/** Text types that can be compared without a cast; enums and texts of fixed length cannot in every warehouse. */
const PLAIN_TEXT = /^(?:n?(?:var)?char2?|character(?: varying)?|string|\w*text)$/

function describeMark(mark: DeletedMark, column: Column, dialect: Dialect): DeletedRows {
  const { base, family } = parseType(column.type, dialect)
  const name = printIdentifier(column.name, dialect)
  const text = dialect.types.cast.string
  const isOtherText = family === 'string' && !PLAIN_TEXT.test(base) && text !== undefined
  const x = isOtherText ? cast(name, text, dialect) : name
  const { flagged, notFlagged, truth } = dialect.idioms
  if (family === 'boolean') {
    const fill = (idiom: string): string => idiom.replaceAll('{x}', () => x)
    return { column, isLive: fill(notFlagged), isDeleted: [fill(flagged)], replacesColumn: true }
  }
  const { dead, live } = mark.when === 'time' ? nullTests(x) : valueTests(x, mark.when, family, dialect)
  const lines = [`case when ${dead} then ${truth.yes} else ${truth.no} end`]
  return {
    column,
    isLive: live,
    isDeleted: wrapLines(lines, truth.wrap),
    replacesColumn: mark.when === 'flag',
  }
}

interface Tests {
  readonly live: string
  readonly dead: string
}

function nullTests(x: string): Tests {
  return { live: `${x} is null`, dead: `${x} is not null` }
}

/** A flag that is not a boolean is a number, or a word for true. */
function valueTests(x: string, when: 'flag' | readonly string[], family: Family, dialect: Dialect): Tests {
  if (isNumber(family)) return { live: `coalesce(${x}, 0) = 0`, dead: `${x} <> 0` }
  const values = when === 'flag' ? ['true', 't', 'yes', 'y', '1'] : when
  const list = values.map((value) => printLiteral(value, dialect)).join(', ')
  const subject = when === 'flag' ? `lower(${x})` : x
  const [live, dead] =
    values.length === 1 ? [`<> ${list}`, `= ${list}`] : [`not in (${list})`, `in (${list})`]
  return { live: `coalesce(${subject}, '') ${live}`, dead: `${subject} ${dead}` }
}

interface RowDecision {
  readonly rows: PlannedRows
  readonly warnings: readonly Warning[]
}

/** Plans the rows that the model keeps: the newest version of each, and only live ones. */
export function planRows(
  subject: Subject,
  key: Key | undefined,
  deleted: DeletedRows | undefined,
): RowDecision {
  const { deletedRows } = subject.settings.options
  const deduplicate = keepsVersions(subject, key) ? planDeduplication(subject, key) : undefined
  const isLost = keepsVersions(subject, key) && !deduplicate
  return {
    rows: {
      ...(deduplicate && { deduplicate }),
      ...(deleted && deletedRows === 'filter' && { where: deleted.isLive }),
      ...(deleted && deletedRows !== 'keep' && { deletedBy: deleted.column.name }),
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
    message: `${title} may append several versions of a row to ${name.table}, and no column is known to identify a row; set its key in stagecraft.yml`,
  }
}
