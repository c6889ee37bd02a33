import { type CatalogTable, escapeInvisible } from '@stagecraft/spec'
import type { ColumnsOf, Inference } from './inference.ts'

/** A reference as a diagram draws it. */
interface Line {
  readonly child: ColumnsOf
  readonly parent: ColumnsOf
}

/**
 * Prints tables with their keys and references, declared and proposed, as an entity diagram of Mermaid, which GitHub
 * and GitLab draw in Markdown. Characters that Mermaid does not accept in names of columns and types become
 * underscores.
 */
export function printMermaidDiagram(tables: readonly CatalogTable[], inference: Inference): string {
  const ids = new Map(tables.map((table, at) => [table, `t${at}`]))
  const boxes = tables.map((table) => {
    const marks = marksOf(table, inference)
    const columns = table.columns.map(({ name, type }) => {
      const mark = marks.get(name)
      return `    ${plainWord(type)} ${plainWord(name)}${mark ? ` ${mark}` : ''}`
    })
    return [`  ${ids.get(table) ?? ''}["${escapeLabel(nameOf(table))}"] {`, ...columns, '  }']
  })
  const lines = linesOf(inference, tables).map(
    ({ child, parent }) =>
      `  ${ids.get(parent.table) ?? ''} ||--o{ ${ids.get(child.table) ?? ''} : "${escapeLabel(child.columns.join(', '))}"`,
  )
  return ['erDiagram', ...boxes.flat(), ...lines, ''].join('\n')
}

/** Prints the same in DBML, which dbdiagram.io and other tools read. */
export function printDbml(tables: readonly CatalogTable[], inference: Inference): string {
  const keyOf = new Map(inference.keys.map((key) => [key.table, key.columns]))
  const boxes = tables.map((table) => {
    const key = keyOf.get(table) ?? []
    const columns = table.columns.map(({ name, type }) => {
      const isKey = key.length === 1 && key[0] === name
      return `  ${quote(name)} ${/^\w+$/.test(type) ? type : quote(type)}${isKey ? ' [pk]' : ''}`
    })
    const composite =
      key.length > 1 ? ['', '  indexes {', `    (${key.map(quote).join(', ')}) [pk]`, '  }'] : []
    return [`Table ${pathOf(table)} {`, ...columns, ...composite, '}', ''].join('\n')
  })
  const ends = ({ columns, table }: ColumnsOf): string => {
    const names = columns.map(quote).join(', ')
    return `${pathOf(table)}.${columns.length > 1 ? `(${names})` : names}`
  }
  const lines = linesOf(inference, tables).map(
    ({ child, parent }) => `Ref: ${ends(child)} > ${ends(parent)}\n`,
  )
  return `${boxes.join('\n')}${lines.length > 0 ? '\n' : ''}${lines.join('')}`
}

/** The references between tables of the diagram. */
function linesOf({ references }: Inference, tables: readonly CatalogTable[]): readonly Line[] {
  const known = new Set(tables)
  return references.filter(({ child, parent }) => known.has(child.table) && known.has(parent.table))
}

function marksOf(table: CatalogTable, { keys, references }: Inference): ReadonlyMap<string, string> {
  const key = new Set(keys.find((one) => one.table === table)?.columns)
  const pointing = new Set(
    references.filter(({ child }) => child.table === table).flatMap(({ child }) => child.columns),
  )
  return new Map(
    table.columns.flatMap(({ name }) => {
      const marks = [...(key.has(name) ? ['PK'] : []), ...(pointing.has(name) ? ['FK'] : [])]
      return marks.length > 0 ? [[name, marks.join(', ')] as const] : []
    }),
  )
}

function nameOf({ name, schema }: CatalogTable): string {
  return schema === undefined ? name : `${schema}.${name}`
}

function pathOf({ name, schema }: CatalogTable): string {
  return schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`
}

function quote(name: string): string {
  const line = escapeInvisible(name).replaceAll(/\p{Cc}+/gu, ' ')
  return `"${line.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** A word that Mermaid accepts for columns and types: it begins with a letter, and is not a key marker. */
function plainWord(text: string): string {
  const plain = text.replaceAll(/[^\p{L}\p{N}_()[\]-]+/gu, '_')
  return /^\p{L}/u.test(plain) && !/^[PFU]K$/i.test(plain) ? plain : `c_${plain}`
}

/**
 * Escapes a label, because Mermaid reads markup in it: everything except letters, digits and the plainest marks
 * becomes a code point.
 */
function escapeLabel(text: string): string {
  return escapeInvisible(text).replaceAll(
    /[^\p{L}\p{N}_., -]/gu,
    (character) => `#${character.codePointAt(0) ?? 0};`,
  )
}
