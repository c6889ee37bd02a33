import { type FinalColumn, type FinalColumns, finalColumns } from '../merge/final-columns.ts'
import { selectsSame } from '../merge/merge-items.ts'
import { compareName, fold, namesRead } from '../merge/output-name.ts'
import { isCode, type SqlSyntax } from '../merge/scan-sql.ts'

/**
 * The names under which a model selects generated columns, by generated name; null for a column that it does not
 * select. Unchanged names are left out.
 */
export type ColumnNames = ReadonlyMap<string, SelectedName | null>

interface SelectedName {
  /** The person's spelling. */
  readonly name: string
  /** True if it is in quotes. */
  readonly isQuoted: boolean
}

export interface ModelTexts {
  /** The generated SQL. */
  readonly generated: string
  /** The SQL of the model after the plan. */
  readonly final: string
  /** The columns of the raw table. */
  readonly raw: readonly string[]
}

/**
 * Finds the names under which a person's model selects generated columns. If the text does not show them, all names
 * are the generated ones.
 */
export function selectedNames(texts: ModelTexts, syntax: SqlSyntax): ColumnNames {
  const found = selectedColumns(texts, syntax)
  return new Map(
    [...(found?.columns ?? [])].flatMap(
      ([column, match]): readonly (readonly [string, SelectedName | null])[] => {
        const own = spelledName(column, syntax).name
        if (!match) return found?.isOpen ? [] : [[own, null]]
        return match.name === column.name ? [] : [[own, spelledName(match, syntax)]]
      },
    ),
  )
}

/** The selected column for each generated column. */
export interface SelectedColumns {
  /** Undefined for a column that is not selected by name. */
  readonly columns: ReadonlyMap<FinalColumn, FinalColumn | undefined>
  /** Other selected columns. */
  readonly others: readonly FinalColumn[]
  /** True if it may select others, such as those behind a `*`. */
  readonly isOpen: boolean
}

/** Finds the selected column for each generated column; undefined if the text does not show it. */
export function selectedColumns(
  { final, generated, raw }: ModelTexts,
  syntax: SqlSyntax,
): SelectedColumns | undefined {
  const [wanted, there] = [finalColumns(generated, syntax), finalColumns(final, syntax)]
  if (!wanted || !there || wanted.isOpen) return undefined
  const found = matchColumns(wanted, there, { syntax, raw: new Set(raw.map((name) => fold(name, syntax))) })
  const taken = new Set(found.values())
  return {
    columns: new Map(wanted.columns.map((column) => [column, found.get(column)])),
    others: there.columns.filter((column) => !taken.has(column)),
    isOpen: there.isOpen,
  }
}

/** Returns the name of a column as its text spells it. */
export function spelledName({ items: [item], name }: FinalColumn, syntax: SqlSyntax): SelectedName {
  const last = item.tokens.findLast(isCode)
  if (last?.kind === 'word' && compareName(last, syntax) === name) return { name: last.text, isQuoted: false }
  const close = last?.text.at(-1) ?? ''
  const isQuoted = last?.kind === 'name' || last?.kind === 'jinja'
  const inner = last?.kind === 'name' ? last.text.slice(1, -1).replaceAll(close + close, close) : undefined
  const [, quotedByAdapter] = /quote\(\s*['"]([^'"]+)['"]/.exec(last?.text ?? '') ?? []
  return { name: inner ?? quotedByAdapter ?? name, isQuoted }
}

interface Matching {
  readonly syntax: SqlSyntax
  /** Returns the names of raw columns in their form for comparison. */
  readonly raw: ReadonlySet<string>
}

type Holds = (wanted: FinalColumn, there: FinalColumn) => boolean

/** Matches columns by the most certain signs first, and only if a sign matches one column. */
function matchColumns(
  wanted: FinalColumns,
  there: FinalColumns,
  matching: Matching,
): ReadonlyMap<FinalColumn, FinalColumn> {
  const found = new Map<FinalColumn, FinalColumn>()
  for (const holds of signs(matching)) {
    const open = wanted.columns.filter((column) => !found.has(column))
    const taken = new Set(found.values())
    const free = there.columns.filter((column) => !taken.has(column))
    const pairs = open.map((column) => [column, free.filter((one) => holds(column, one))] as const)
    for (const [column, [one, ...others]] of pairs) {
      const isAlone = pairs.every(([other, ones]) => other === column || !ones.some((two) => two === one))
      if (one && others.length === 0 && isAlone) found.set(column, one)
    }
  }
  return found
}

function signs({ raw, syntax }: Matching): readonly Holds[] {
  const hasSame: Holds = (wanted, { items }) =>
    items.some((item) => selectsSame(item, wanted.items.at(-1) ?? wanted.items[0], syntax))
  const readsRaw = ({ items }: FinalColumn): readonly string[] => [
    ...new Set(
      items.flatMap((item) =>
        [...namesRead(item.tokens.filter(isCode), syntax)].filter((name) => raw.has(name)),
      ),
    ),
  ]
  return [
    (wanted, one) => one.name === wanted.name && hasSame(wanted, one),
    hasSame,
    (wanted, one) => one.name === wanted.name,
    (wanted, { items }) => items.some(({ name }) => name === wanted.name),
    (wanted, one) => {
      const read = readsRaw(wanted)
      const own = readsRaw(one)
      return read.length > 0 && read.length === own.length && read.every((name) => own.includes(name))
    },
  ]
}
