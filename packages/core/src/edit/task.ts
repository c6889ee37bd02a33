import { planColumns } from '../plan/columns.ts'
import { findDeletedRows } from '../plan/rows.ts'
import { findKey } from '../plan/key.ts'
import type { Key } from '../plan/plan.ts'
import type { PlanContext } from '../plan/subject.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import type { DecidedNaming } from '../presets/preset.ts'
import { parseType } from '../sql/types.ts'
import { cleanText } from './clean-text.ts'
import { chooseExamples, type Examples } from './examples.ts'
import { LONGEST_NAME } from './legal-name.ts'
import type { DecidedLlm } from './settings.ts'

/** The role of a column in a key; null for none. */
type KeyPart = 'primary' | 'unique' | 'foreign' | null

/** A column as the backend gets it. */
export interface TaskColumn {
  readonly ordinal: number
  readonly name: string
  /** Only its family if names are not sent, because a type may name the fields of a struct. */
  readonly type: string
  readonly nullable: boolean | undefined
  readonly key: KeyPart
  readonly comment: string | undefined
}

/** The task of a backend for a table. Values of rows are not known here, so they are never sent. */
export interface EditTask {
  readonly dialect: string
  /** Undefined if names are not sent. */
  readonly table: string | undefined
  readonly comment: string | undefined
  readonly columns: readonly TaskColumn[]
  readonly examples: Examples
  readonly allowExpressions: boolean
  /** The configured naming rules by type of column. Rules are off if columns keep their stored names. */
  readonly conventions: Pick<DecidedNaming, 'booleans' | 'dates' | 'timestamps'>
}

/** A table with the decisions of the rules, for checking an edit. */
export interface EditSubject extends PlanContext {
  readonly key: Key | undefined
  readonly columns: readonly StagedColumn[]
}

export function editSubject(context: PlanContext): EditSubject {
  const key = findKey(context.subject)
  const deleted = findDeletedRows(context.subject)
  return { ...context, key, columns: planColumns({ subject: context.subject, key, deleted }).columns }
}

/** Returns the columns that a backend may edit: those of the source system, in the order of the table. */
export function editableColumns({ columns }: EditSubject): readonly StagedColumn[] {
  return columns
    .filter(({ column, isMetadata }) => column && !isMetadata)
    .toSorted((a, b) => a.ordinal - b.ordinal)
}

const LONGEST_COMMENT = 200

export function createTask(
  subject: EditSubject,
  columns: readonly StagedColumn[],
  llm: DecidedLlm,
): EditTask {
  const { settings, table } = subject.subject
  const { allowExpressions, redactNames } = llm
  const withComments = llm.comments && !redactNames
  const comment = withComments && table.comment ? cleanText(table.comment, LONGEST_COMMENT) : undefined
  return {
    dialect: settings.dialect.name,
    table: redactNames ? undefined : cleanText(subject.subject.name.table, LONGEST_NAME),
    comment,
    columns: columns.map((column) => taskColumn(column, subject, { redactNames, withComments })),
    examples: redactNames ? { renames: [], descriptions: [] } : chooseExamples(subject, llm.examples),
    allowExpressions,
    conventions: conventionsOf(settings.naming),
  }
}

function conventionsOf({ booleans, columns, dates, timestamps }: DecidedNaming): EditTask['conventions'] {
  return columns === 'snake'
    ? { booleans, dates, timestamps }
    : { booleans: false, dates: false, timestamps: false }
}

interface TaskColumnOptions {
  readonly redactNames: boolean
  readonly withComments: boolean
}

function taskColumn(
  { column, ordinal }: StagedColumn,
  subject: EditSubject,
  { redactNames, withComments }: TaskColumnOptions,
): TaskColumn {
  const { comment, name = '', nullable, type = '' } = column ?? {}
  return {
    ordinal,
    name: redactNames ? `c${ordinal}` : cleanText(name, LONGEST_NAME),
    type: redactNames
      ? parseType(type, subject.subject.settings.dialect).family
      : cleanText(withoutLabels(type), LONGEST_NAME),
    nullable,
    key: keyPart(name, subject),
    comment: withComments && comment ? cleanText(comment, LONGEST_COMMENT) : undefined,
  }
}

/** Labels of an enum are values of rows. */
function withoutLabels(type: string): string {
  return type.replaceAll(/'(?:[^'\\]|\\.|'')*(?:'|$)/gs, '…')
}

/** Only declared facts count; the model itself can see which column is named like a key. */
function keyPart(name: string, { key, subject }: EditSubject): KeyPart {
  const { foreignKeys = [], uniqueKeys = [] } = subject.table
  if (key?.columns.includes(name) && key.evidence !== 'name') return 'primary'
  if (foreignKeys.some(({ columns }) => columns.includes(name))) return 'foreign'
  return uniqueKeys.some((columns) => columns.length === 1 && columns[0] === name) ? 'unique' : null
}
