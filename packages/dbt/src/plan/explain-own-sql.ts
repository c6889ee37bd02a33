import type { ColumnExplanation, Decision, Explanation } from '@stagecraft/spec'
import type { FinalColumn } from '../merge/final-columns.ts'
import { fold } from '../merge/output-name.ts'
import { tokenStream } from '../merge/same-tokens.ts'
import type { SqlSyntax } from '../merge/scan-sql.ts'
import { expressionOf } from './changed-values.ts'
import { type ModelTexts, type SelectedColumns, selectedColumns, spelledName } from './selected-names.ts'

export interface OwnModel extends ModelTexts {
  /** The file of the model. */
  readonly path: string
}

/**
 * Explains a model that a person wrote or changed, with names and values of its text next to generated ones. If the
 * text does not show its columns, the explanation says so.
 */
export function explainOwnSql(explanation: Explanation, own: OwnModel, syntax: SqlSyntax): Explanation {
  const found = selectedColumns(own, syntax)
  if (!found) {
    const text = 'its columns cannot be read from its hand-written text; the generated columns are explained'
    const decisions = explanation.decisions.map((decision) =>
      decision.about === 'path'
        ? { ...decision, reasons: [...decision.reasons, reasonOf('path', text)] }
        : decision,
    )
    return { ...explanation, decisions }
  }
  const reading = { found, path: own.path, syntax }
  return {
    ...explanation,
    columns: [
      ...explanation.columns.map((column) => explainColumn(column, reading)),
      ...found.others.map((column) => explainOther(column, reading)),
    ],
  }
}

interface Reading {
  readonly found: SelectedColumns
  readonly path: string
  readonly syntax: SqlSyntax
}

function explainColumn(column: ColumnExplanation, { found, path, syntax }: Reading): ColumnExplanation {
  const name = column.name === undefined ? undefined : fold(column.name, syntax)
  const wanted = [...found.columns.keys()].find((one) => fold(spelledName(one, syntax).name, syntax) === name)
  if (!wanted || column.name === undefined) return column
  const there = found.columns.get(wanted)
  if (!there) {
    const text = `${path} leaves it out by hand; ${column.name} would be generated`
    const { name: _, ...rest } = column
    return found.isOpen ? column : { ...rest, decisions: [byPerson('name', undefined, text)] }
  }
  const isNamed = there.name === wanted.name
  const [is, generated] = [expressionOf(there), expressionOf(wanted)]
  const isSame = tokenStream(is, syntax) === tokenStream(generated, syntax)
  const own = isNamed ? column.name : spelledName(there, syntax).name
  const decisions = column.decisions.map((decision): Decision => {
    if (decision.about === 'name' && !isNamed)
      return byPerson('name', own, `${path} names it so by hand; ${column.name} would be generated`)
    if (decision.about === 'value' && !isSame)
      return byPerson('value', is, `${path} selects it so by hand; ${generated} would be generated`)
    return decision
  })
  return { ...column, name: own, decisions }
}

/** A column that a person added. */
function explainOther(column: FinalColumn, { path, syntax }: Reading): ColumnExplanation {
  const { name } = spelledName(column, syntax)
  const text = `${path} selects it by hand; nothing like it would be generated`
  return { name, decisions: [byPerson('value', expressionOf(column), text)] }
}

function byPerson(about: Decision['about'], value: string | undefined, text: string): Decision {
  return { about, ...(value !== undefined && { value }), reasons: [reasonOf(about, text)], keys: [] }
}

function reasonOf(about: Decision['about'], text: string): Decision['reasons'][number] {
  return { rule: `${about}.project`, evidence: 'project', text }
}
