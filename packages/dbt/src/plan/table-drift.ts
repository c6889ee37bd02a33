import type { Column, Table } from '@stagecraft/spec'

/** The kinds of difference between a former and a current table, with their meaning. */
export const DRIFTS = {
  added: 'the table has a new column',
  removed: 'a column is gone',
  renamed: 'a column was replaced by one of the same type',
  retyped: 'the type of a column changed',
  nullability: 'a column now allows nulls, or no longer does',
  comment: 'the comment of a column or of the table changed',
  values: 'the allowed values of a column changed',
  key: 'the declared keys of the table changed',
} as const

export type DriftKind = keyof typeof DRIFTS

/** A difference between a former and a current table. */
export interface Drift {
  readonly kind: DriftKind
  /** The stored name of the column; undefined for a difference of the table. */
  readonly column: string | undefined
  /** The former value: a type, a name, a comment; undefined for none. */
  readonly before: string | undefined
  /** The present value. */
  readonly after: string | undefined
}

/** Compares a table with its former state: columns in order, then the table itself. */
export function compareTables(before: Table, after: Table): readonly Drift[] {
  const renames = findRenames(before, after)
  const old = new Map(before.columns.map((column) => [column.name, column]))
  const now = new Map(after.columns.map((column) => [column.name, column]))
  const renamed = new Set(renames.values())
  return [
    ...after.columns.flatMap((column) => {
      const from = renames.get(column.name)
      const was = old.get(from ?? column.name)
      if (from !== undefined && was)
        return [drift('renamed', column.name, from, column.name), ...compareColumns(was, column)]
      return was ? compareColumns(was, column) : drift('added', column.name, undefined, column.type)
    }),
    ...before.columns
      .filter(({ name }) => !now.has(name) && !renamed.has(name))
      .map(({ name, type }) => drift('removed', name, type, undefined)),
    ...compareTexts('comment', undefined, before.comment, after.comment),
    ...compareTexts('key', undefined, printKeys(before), printKeys(after)),
  ]
}

function drift(
  kind: DriftKind,
  column: string | undefined,
  before: string | undefined,
  after: string | undefined,
): Drift {
  return { kind, column, before, after }
}

function compareColumns(before: Column, after: Column): readonly Drift[] {
  const { name } = after
  const nullable = ({ nullable = true }: Column): string => (nullable ? 'null' : 'not null')
  return [
    ...compareTexts('retyped', name, before.type, after.type),
    ...compareTexts('nullability', name, nullable(before), nullable(after)),
    ...compareTexts('comment', name, before.comment, after.comment),
    ...compareTexts('values', name, before.values?.join(', '), after.values?.join(', ')),
  ]
}

function compareTexts(
  kind: DriftKind,
  column: string | undefined,
  before: string | undefined,
  after: string | undefined,
): readonly Drift[] {
  return before === after ? [] : [drift(kind, column, before, after)]
}

/** Prints keys; undefined for a table without declared keys. */
function printKeys({ foreignKeys = [], primaryKey, uniqueKeys = [] }: Table): string | undefined {
  const keys = [
    ...(primaryKey ? [`primary key (${primaryKey.join(', ')})`] : []),
    ...uniqueKeys.map((columns) => `unique (${columns.join(', ')})`).toSorted(),
    ...foreignKeys
      .map(({ columns, references: { columns: others, table } }) => {
        const parent = [table.database, table.schema, table.name]
          .filter((part) => part !== undefined)
          .join('.')
        return `(${columns.join(', ')}) references ${parent} (${others.join(', ')})`
      })
      .toSorted(),
  ]
  return keys.length > 0 ? keys.join('; ') : undefined
}

/**
 * Finds renamed columns: former names by new name. A renamed column has the same neighbours and type, and is the only
 * candidate.
 */
export function findRenames(before: Table, after: Table): ReadonlyMap<string, string> {
  const gaps = gapsOf(before, after)
  const last = after.columns.at(-1)
  return new Map(
    [...gapsOf(after, before)].flatMap(([gap, added]) => {
      const gone = gaps.get(gap) ?? []
      const [[one, ...others], [was, ...rest]] = [added, gone]
      if (!one || !was || others.length + rest.length > 0 || was.type !== one.type) return []
      // added columns come last too, so a rename there needs more evidence
      return one !== last || isAlike(was, one) ? [[one.name, was.name] as const] : []
    }),
  )
}

/** Returns true if two columns share a comment or a word of their names. */
function isAlike(a: Column, b: Column): boolean {
  if (a.comment !== undefined && a.comment === b.comment) return true
  const words = new Set(wordsOf(a.name))
  return wordsOf(b.name).some((word) => words.has(word))
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
}

/** Finds columns that the other table lacks, by their nearest common neighbours. */
function gapsOf(table: Table, other: Table): ReadonlyMap<string, readonly Column[]> {
  const shared = new Set(other.columns.map(({ name }) => name))
  return Map.groupBy(
    table.columns.filter(({ name }) => !shared.has(name)),
    (column) => {
      const at = table.columns.indexOf(column)
      const left = table.columns.slice(0, at).findLast(({ name }) => shared.has(name))
      const right = table.columns.slice(at + 1).find(({ name }) => shared.has(name))
      return JSON.stringify([left?.name, right?.name])
    },
  )
}

/** Returns the table with its deleted columns, each after its former predecessor. Renamed columns are not added. */
export function retainColumns(before: Table, after: Table): Table {
  const names = new Set([...after.columns.map(({ name }) => name), ...findRenames(before, after).values()])
  const columns = [...after.columns]
  for (const [index, column] of before.columns.entries()) {
    if (names.has(column.name)) continue
    const left = before.columns[index - 1]?.name
    columns.splice(columns.findIndex(({ name }) => name === left) + 1, 0, column)
    names.add(column.name)
  }
  return columns.length === after.columns.length ? after : { ...after, columns }
}

/**
 * Keeps observations of rows until the next profiling, if their columns still exist. A new profile with the same
 * results keeps the former date, so nothing changes.
 */
export function retainObservation(before: Table, after: Table): Table {
  const { observed } = before
  if (!observed) return after
  if (after.observed) {
    const isSame = JSON.stringify({ ...after.observed, on: observed.on }) === JSON.stringify({ ...observed })
    return isSame ? { ...after, observed } : after
  }
  const names = new Set(after.columns.map(({ name }) => name))
  const areThere = ({ columns }: { readonly columns: readonly string[] }): boolean =>
    columns.every((name) => names.has(name))
  const isThere = ({ column }: { readonly column: string }): boolean => names.has(column)
  const { key, notNull, on, ranges, references, rows, values } = observed
  // The members have the order of a profiled table, so the lock does not change.
  const { dialect, ...table } = after
  return {
    ...table,
    observed: {
      rows,
      ...(key && areThere(key) && { key }),
      ...filled('references', references?.filter(areThere)),
      ...filled('values', values?.filter(isThere)),
      ...filled(
        'notNull',
        notNull?.filter((name) => names.has(name)),
      ),
      ...filled('ranges', ranges?.filter(isThere)),
      ...(on !== undefined && { on }),
    },
    ...(dialect !== undefined && { dialect }),
  }
}

function filled<Name extends string, Item>(
  name: Name,
  items: readonly Item[] | undefined,
): { readonly [Key in Name]?: readonly Item[] } {
  return items && items.length > 0 ? ({ [name]: items } as { readonly [Key in Name]?: readonly Item[] }) : {}
}
