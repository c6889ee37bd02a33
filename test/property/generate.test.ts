import { generate, generateProject } from '@stagecraft/core'
import type { DialectName, Generation, Table } from '@stagecraft/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { renderJinja } from '../../packages/core/src/verify/sql-parser.ts'
import { sqlFault } from '../oracle.ts'
import { anyCase, anyStruct, anyTable } from './arbitraries.ts'

const RUNS = 300

function generateFor(dialect: DialectName, table: Table): Generation {
  const options = { addTests: true, addDocs: true, contract: true } as const
  return generate({ type: 'staging', source: 'shop.things', options }, table, { dialect })
}

interface Properties {
  readonly models: readonly { readonly columns: readonly { readonly name: string }[] }[]
}

function columnNames({ schema }: Generation): readonly string[] {
  return (parse(schema) as Properties).models[0]?.columns.map(({ name }) => name) ?? []
}

test('any table becomes SQL that an independent parser reads', async () => {
  // The parser takes three double quotes for the start of a triple-quoted text, which no warehouse does.
  const readable = anyCase.filter(([, { columns }]) => !columns.some(({ name }) => name.startsWith('"')))
  await fc.assert(
    fc.asyncProperty(readable, async ([dialect, table]) => {
      expect(await sqlFault(renderJinja(generateFor(dialect, table).code), dialect)).toBeUndefined()
    }),
    { numRuns: RUNS },
  )
})

test('every column is in the model once, or named in a warning', () => {
  fc.assert(
    fc.property(anyCase, ([dialect, table]) => {
      const generation = generateFor(dialect, table)
      const leftOut = generation.warnings.filter(({ code }) => code === 'COLUMN_LEFT_OUT')
      const names = columnNames(generation)
      expect(names.length + leftOut.length).toBe(table.columns.length)
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
    }),
    { numRuns: RUNS },
  )
})

test('staged names need no quotes in any dialect', () => {
  fc.assert(
    fc.property(anyCase, ([dialect, table]) => {
      for (const name of columnNames(generateFor(dialect, table))) expect(name).toMatch(/^[a-z_][a-z0-9_]*$/)
    }),
    { numRuns: RUNS },
  )
})

function flatten(dialect: DialectName, table: Table): Generation {
  const options = { addTests: true, addDocs: true, contract: true, flatten: 'one level' } as const
  return generate({ type: 'staging', source: 'shop.things', options }, table, { dialect })
}

test('fields of any struct are columns once, or the struct stays whole with a warning', () => {
  let flattened = 0
  fc.assert(
    fc.property(anyStruct, ([dialect, table]) => {
      const generation = flatten(dialect, table)
      const names = columnNames(generation)
      const codes = generation.warnings.map(({ code }) => code)
      if (!codes.includes('STRUCT_NOT_FLATTENED')) flattened++
      const leftOut = codes.filter((code) => code === 'COLUMN_LEFT_OUT')
      expect(names.length + leftOut.length).toBeGreaterThanOrEqual(table.columns.length)
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
      for (const name of names) expect(name).toMatch(/^[a-z_][a-z0-9_]*$/)
      for (const { content, path } of generation.files)
        if (path.endsWith('.yml'))
          expect(parse(content, { version: '1.1' })).toEqual(parse(content, { version: '1.2' }))
      expect(flatten(dialect, table)).toEqual(generation)
    }),
    { numRuns: RUNS / 2 },
  )
  expect(flattened).toBeGreaterThan(RUNS / 10)
})

test('fields of any struct are SQL that an independent parser reads', async () => {
  const readable = anyStruct.filter(([, { columns }]) => !columns.some(({ name }) => name.startsWith('"')))
  await fc.assert(
    fc.asyncProperty(readable, async ([dialect, table]) => {
      expect(await sqlFault(renderJinja(flatten(dialect, table).code), dialect)).toBeUndefined()
    }),
    { numRuns: RUNS / 3 },
  )
})

test('the YAML means the same to readers of YAML 1.1 and 1.2', () => {
  fc.assert(
    fc.property(anyCase, ([dialect, table]) => {
      for (const { content, path } of generateFor(dialect, table).files) {
        if (!path.endsWith('.yml')) continue
        expect(parse(content, { version: '1.1' })).toEqual(parse(content, { version: '1.2' }))
      }
    }),
    { numRuns: RUNS },
  )
})

test('the same table gives the same bytes, whatever the order of its keys', () => {
  fc.assert(
    fc.property(anyCase, ([dialect, table]) => {
      const turned: Table = {
        ...table,
        ...(table.primaryKey && { primaryKey: table.primaryKey.toReversed() }),
        ...(table.uniqueKeys && { uniqueKeys: table.uniqueKeys.toReversed() }),
        ...(table.foreignKeys && { foreignKeys: table.foreignKeys.toReversed() }),
      }
      expect(generateFor(dialect, turned)).toEqual(generateFor(dialect, table))
    }),
    { numRuns: RUNS },
  )
})

test('the files of a run do not depend on the order of its tables', () => {
  const tables = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), anyTable('postgres')), {
    minLength: 2,
    maxLength: 5,
    selector: ([name]) => name,
  })
  fc.assert(
    fc.property(tables, (named) => {
      const items = named.map(([name, table]) => ({
        request: { type: 'staging' as const, source: `shop.${name}`, options: { addTests: true } },
        table,
      }))
      const context = { dialect: 'postgres' } as const
      expect(generateProject(items.toReversed(), context)).toEqual(generateProject(items, context))
    }),
    { numRuns: 50 },
  )
})

test('no line ends in a carriage return or a blank', () => {
  fc.assert(
    fc.property(anyCase, ([dialect, table]) => {
      const dos = { ...table, comment: `${table.comment ?? 'a'}\r\nb` }
      for (const { content } of generateFor(dialect, dos).files) expect(content).not.toMatch(/\r/)
    }),
    { numRuns: RUNS },
  )
})
