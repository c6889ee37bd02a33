import type { Column, Table } from '@stagecraft/spec'
import { readTruth } from '../../dbt/truth.ts'

/** A column of a truth database, as the people of a house see it. */
export interface HouseColumn {
  /** The words of its name: `customer`, `id`. */
  readonly words: readonly string[]
  /** As the warehouse of the house stores it. */
  readonly raw: string
  readonly kind: 'id' | 'reference' | 'boolean' | 'date' | 'timestamp' | 'number' | 'text'
}

/** A table of a truth database, as the people of a house see it. */
interface HouseTable {
  /** The name of one row, in words: `order_line`. */
  readonly entity: string
  /** As the warehouse stores it. */
  readonly raw: string
  readonly columns: readonly HouseColumn[]
}

/** How a house writes its staging models; by hand, and without any code of Stagecraft. */
export interface House {
  readonly name: string
  /** Truth databases that its warehouse holds, with the dbt source of each. */
  readonly databases: Readonly<Record<string, string>>
  /** The stored name of a table. */
  table(entity: string, source: string): string
  /** The stored name of a column. */
  column(words: readonly string[], entity: string): string
  /** The staged name of a column. */
  staged(column: HouseColumn, table: HouseTable): string
  model(table: HouseTable, source: string): string
  folder(source: string): string
  /** The properties of the models of a folder, or of one model. */
  yaml(source: string, model: string): string
  readonly sql: SqlHabits
}

interface SqlHabits {
  readonly upper: boolean
  readonly leadingCommas: boolean
  readonly indent: number
  /** The common table expressions: the one that imports, and the one that renames. */
  readonly ctes: readonly [string, string]
  readonly config?: string
  /** The select at the end. */
  readonly final: string
  readonly casts?: boolean
}

/** What people do otherwise than they usually do: the stored name stays. */
function isLapse(text: string): boolean {
  let value = 7
  for (const letter of text) value = (value * 31 + letter.charCodeAt(0)) % 9973
  return value % 17 === 0
}

/** A project of a house: its files, and the tables of its warehouse. */
export interface HouseProject {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly tables: readonly (Table & { readonly name: string })[]
}

/** Writes the staging models of a house over the truth databases. */
export function buildHouse(house: House): HouseProject {
  const files: Record<string, string> = { 'dbt_project.yml': `name: ${house.name}\nmodel-paths: [models]\n` }
  const tables: (Table & { readonly name: string })[] = []
  for (const [database, source] of Object.entries(house.databases)) {
    const read = tablesOf(house, database, source)
    files[`models/staging/${source}/_sources.yml`] =
      `version: 2\nsources:\n  - name: ${source}\n    tables:\n${read.map(({ house: { raw } }) => `      - name: ${raw}\n`).join('')}`
    const properties = new Map<string, string>()
    for (const one of read) {
      const model = house.model(one.house, source)
      files[`${house.folder(source)}/${model}.sql`] = printModel(house, one.house, source)
      const path = `${house.folder(source)}/${house.yaml(source, model)}`
      properties.set(path, `${properties.get(path) ?? 'version: 2\nmodels:\n'}  - name: ${model}\n`)
      tables.push(one.table)
    }
    for (const [path, text] of properties) files[path] = text
  }
  return { name: house.name, files, tables }
}

interface ReadTable {
  readonly house: HouseTable
  readonly table: Table & { readonly name: string }
}

function tablesOf(house: House, database: string, source: string): readonly ReadTable[] {
  return readTruth(database).tables.map((truth) => {
    const entity = singular(truth.name.replace(/^raw_/, ''))
    const raw = house.table(entity, source)
    const [key] = truth.pk.length === 1 ? truth.pk : []
    const columns = truth.columns.map((column) => {
      const words = ownWords(column.name, entity, column.name === key)
      return {
        words,
        raw: house.column(words, entity),
        kind: kindOf(words, column.duckdb_type),
        type: column.duckdb_type,
      }
    })
    const stored = columns.map(({ raw: name, type }): Column => ({ name, type }))
    return { house: { entity, raw, columns }, table: { name: raw, schema: source, columns: stored } }
  })
}

/** The own key of a table is its `id`. */
function ownWords(name: string, entity: string, isKey: boolean): readonly string[] {
  const words = name.toLowerCase().split('_')
  return isKey && words.join('_') === `${entity}_id` ? ['id'] : words
}

function kindOf(words: readonly string[], type: string): HouseColumn['kind'] {
  if (words.join('_') === 'id') return 'id'
  if (words.at(-1) === 'id') return 'reference'
  if (type === 'BOOLEAN') return 'boolean'
  if (type === 'DATE') return 'date'
  if (type.startsWith('TIMESTAMP')) return 'timestamp'
  return /^(?:INTEGER|BIGINT|SMALLINT|DOUBLE|FLOAT|DECIMAL|HUGEINT)/.test(type) ? 'number' : 'text'
}

function singular(name: string): string {
  if (/(?:status|ss|series|media)$/.test(name)) return name
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  return name.replace(/(?<=[cs]h|x)es$|s$/, '')
}

export function plural(name: string): string {
  if (/(?:media|series)$/.test(name)) return name
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}

function printModel(house: House, table: HouseTable, source: string): string {
  const { casts, config, ctes, final, indent, leadingCommas, upper } = house.sql
  const word = (text: string): string => (upper ? text.toUpperCase() : text)
  const pad = ' '.repeat(indent)
  const taken = new Set<string>()
  const items = table.columns.flatMap((column) => {
    const wanted = isLapse(`${house.name}.${table.raw}.${column.raw}`)
      ? column.raw.toLowerCase()
      : house.staged(column, table)
    if (taken.has(wanted)) return []
    taken.add(wanted)
    const isCast = casts === true && column.kind === 'timestamp'
    const expression = isCast
      ? `${word('cast')}(${column.raw} ${word('as')} ${word('timestamp')})`
      : column.raw
    return [expression === wanted ? wanted : `${expression} ${word('as')} ${wanted}`]
  })
  const list = leadingCommas
    ? items.map((item, index) => `${pad}${pad}${index === 0 ? '' : ', '}${item}`).join('\n')
    : items.map((item) => `${pad}${pad}${item}`).join(',\n')
  const [first, second] = ctes
  return [
    ...(config === undefined ? [] : [`{{ config(${config}) }}`, '']),
    `${word('with')} ${first} ${word('as')} (`,
    '',
    `${pad}${word('select')} * ${word('from')} {{ source('${source}', '${table.raw}') }}`,
    '',
    '),',
    '',
    `${second} ${word('as')} (`,
    '',
    `${pad}${word('select')}`,
    list,
    `${pad}${word('from')} ${first}`,
    '',
    ')',
    '',
    final,
    '',
  ].join('\n')
}
