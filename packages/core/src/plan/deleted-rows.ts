import type { Dialect, Family } from '@stagecraft/dialects'
import type { Column } from '@stagecraft/spec'
import type { DeletedMark } from '../loaders/loader.ts'
import { printIdentifier, printLiteral } from '../sql/identifiers.ts'
import { parseType } from '../sql/parse-type.ts'
import { cast, wrapLines } from './conversions.ts'
import type { SqlLines } from './plan.ts'
import type { Subject } from './subject.ts'

/** The way to tell deleted rows of a table from live ones. */
export interface DeletedRows {
  readonly column: Column
  /** True for live rows, never null. */
  readonly isLive: string
  /** True for deleted rows, false for all others. */
  readonly isDeleted: SqlLines
  /** The column is a plain flag, so that `is_deleted` takes its place. */
  readonly replacesColumn: boolean
}

/** The mark that the table's loader puts on rows that the source system deleted. */
export function findDeletedRows({ columns, loader, settings }: Subject): DeletedRows | undefined {
  for (const mark of loader?.deleted ?? []) {
    const column = columns.find(({ name }) => name.toLowerCase() === mark.column)
    if (column && canHold(mark, column, settings.dialect)) return describeMark(mark, column, settings.dialect)
  }
  return undefined
}

/** A column of that name but of a type that cannot say so is somebody else's. */
function canHold({ when }: DeletedMark, { type }: Column, dialect: Dialect): boolean {
  const { family } = parseType(type, dialect)
  if (when === 'time') return true
  return family === 'boolean' || family === 'string' || (when === 'flag' && isNumber(family))
}

function isNumber(family: Family): boolean {
  return family === 'integer' || family === 'decimal'
}

/** Types of texts that take part in comparisons as they are; enums and texts of fixed length do not everywhere. */
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
