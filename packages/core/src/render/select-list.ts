import type { Plan, PlannedColumn, SqlLines } from '../plan/plan.ts'

/** A column as the template prints it: what stands before it, the column, what stands behind it. */
interface SelectItem {
  readonly lead: string
  readonly select: SqlLines
  readonly comma: string
  readonly column: PlannedColumn
}

/** Columns that stand together under a comment; without a name when the model is not grouped. */
export interface SelectGroup {
  readonly name: string | undefined
  readonly columns: readonly SelectItem[]
  /** All of them as the list has them, with what stands before and behind each. */
  readonly lines: SqlLines
}

/** The list behind `select`, in groups. */
export function selectGroups({ columns, style }: Plan): readonly SelectGroup[] {
  const items = columns.map((column, index): SelectItem => {
    const isFirst = index === 0
    const isLast = index === columns.length - 1
    return {
      column,
      select: withAlias(column),
      lead: style.leadingCommas && !isFirst ? ', ' : '',
      comma: style.leadingCommas || isLast ? '' : ',',
    }
  })
  if (!style.groups) return [groupOf(undefined, items)]
  return [...Map.groupBy(items, ({ column }) => column.group)].map(([name, group]) => groupOf(name, group))
}

function groupOf(name: string | undefined, columns: readonly SelectItem[]): SelectGroup {
  return { name, columns, lines: columns.flatMap(linesOf) }
}

function linesOf({ comma, lead, select }: SelectItem): SqlLines {
  const last = select.length - 1
  return select.map((line, index) => (index === 0 ? lead : '') + line + (index === last ? comma : ''))
}

/** The style guide's limit, less the indentation of the list and a comma. */
const WIDTH = 80 - 8 - 1

function withAlias({ alias, expression }: PlannedColumn): SqlLines {
  const [only] = expression
  if (expression.length === 1 && only === alias) return expression
  const last = `${expression.at(-1)} as ${alias}`
  if (expression.length === 1 && last.length > WIDTH) return [...expression, `    as ${alias}`]
  return [...expression.slice(0, -1), last]
}
