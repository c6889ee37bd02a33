import { needsQuotes, printIdentifier } from '@stagecraft/core/run'
import type { Table } from '@stagecraft/spec'
import type { LintProject } from '../project/lint-project.ts'
import type { Hit, Unchecked } from '../rule.ts'
import type { ColumnRead } from '../structure/sql-structure.ts'
import { checkStructures, type ReadModel } from './columns.ts'
import { nearest } from './nearest.ts'
import { rawColumn } from './raw-columns.ts'
import { findsColumn } from './raw-name.ts'
import { renameRead } from './rename-read.ts'

export interface MissingColumnOptions {
  /** True for columns that existed when the model was generated. */
  readonly wasThere: boolean
  readonly message: (column: string, table: string) => string
}

/** Finds columns that models read and raw tables do not have. */
export function missingRawColumns(
  project: LintProject,
  { message, wasThere }: MissingColumnOptions,
): readonly (Hit | Unchecked)[] {
  return checkStructures(project, (read) =>
    missingReads(project, read)
      .filter((missing) => missing.wasThere === wasThere)
      .map((missing) => toHit(project, read, { missing, message })),
  )
}

/** A column that a model reads and that its raw table does not have. */
interface Missing {
  /** The first read in the text. */
  readonly read: ColumnRead
  readonly places: readonly ColumnRead['place'][]
  /** `shop.orders`. */
  readonly table: string
  readonly wasThere: boolean
  /** The intended column, by its stored name. */
  readonly closest: string | undefined
  /** True if only the spelling is wrong: the column exists, but needs quotes. */
  readonly isSpelling: boolean
}

/** Returns the columns that a model reads and raw tables lack, each once with all its places. */
export function missingReads(
  project: LintProject,
  { model, structure }: Pick<ReadModel, 'model' | 'structure'>,
): readonly Missing[] {
  if (model.reads.length === 0) return []
  // a * fails too that leaves out a column by name which is gone
  const { excludesUnknown } = project.dialect.idioms
  const named = excludesUnknown ? structure.reads : [...structure.reads, ...structure.excluded]
  const missing = named.flatMap((read) => toMissing(project, read) ?? [])
  const byColumn = Map.groupBy(missing, ({ read, table }) => `${table} ${read.column.toLowerCase()}`)
  return [...byColumn.values()].flatMap((all) => {
    const [first] = all
    return first ? [{ ...first, places: all.map(({ read }) => read.place) }] : []
  })
}

function toHit(
  project: LintProject,
  { model, structure, subject }: ReadModel,
  { message, missing }: { readonly missing: Missing; readonly message: MissingColumnOptions['message'] },
): Hit {
  const { closest, isSpelling, places, read, table } = missing
  const fix =
    closest === undefined
      ? undefined
      : renameRead(project, {
          model,
          structure,
          places,
          from: read.column,
          to: closest,
          wasBuilt: missing.wasThere,
        })
  const written = closest === undefined ? undefined : printIdentifier(closest, project.dialect)
  const help = isSpelling
    ? `write ${written}: the warehouse finds the name only in quotes`
    : `did you mean ${written}?`
  return {
    message: message(writtenName(project, read), table),
    ...(closest !== undefined && { help }),
    place: read.place,
    subject: subject(`${table}.${read.column}`),
    ...(fix && { fix }),
  }
}

/** The name as the model spells it, possibly in another case than the raw table. */
function writtenName({ files }: LintProject, { column, place }: ColumnRead): string {
  const text = files.get(place.path)?.text.slice(place.start, place.end) ?? ''
  // the place of a name that a macro prints is the call
  const isName = text.toLowerCase().replaceAll(/^["`[]|["`\]]$/g, '') === column.toLowerCase()
  return isName ? text : column
}

function toMissing(project: LintProject, read: ColumnRead): Missing | undefined {
  const { column, relation } = read
  if (relation.kind !== 'source') return undefined
  const raw = project.raw.tableOf(relation.source, relation.table)
  if (!raw || raw.columns.length === 0 || findsColumn(project, raw, read)) return undefined
  const former = project.raw.formerOf(relation.source, relation.table)
  const spelling = rawColumn(raw, column)
  return {
    read,
    places: [read.place],
    table: `${relation.source}.${relation.table}`,
    wasThere: !spelling && former !== raw && former !== undefined && rawColumn(former, column) !== undefined,
    closest: spelling?.name ?? closestOf(project, raw, column),
    isSpelling: spelling !== undefined && needsQuotes(spelling.name, project.dialect),
  }
}

/** Returns the closest name that may have been meant, ignoring `_` and capitals between words. */
function closestOf({ dialect }: LintProject, raw: Table, column: string): string | undefined {
  const { plain } = dialect.identifiers
  const names = raw.columns.map(({ name }) => name).filter((name) => plain.test(name))
  const plainest = (name: string): string => name.replaceAll('_', '').toLowerCase()
  const [same, ...others] = names.filter((name) => plainest(name) === plainest(column))
  return same !== undefined && others.length === 0 ? same : nearest(column, names)
}
