import { expect, test } from 'vitest'
import { sqlFault } from '../../../../test/oracle.ts'
import { inlineValues } from '../warehouse/statement.ts'
import { readSparkSchema } from './spark-schema.ts'
import { printedStatements, schemasStatement, statements } from './statements.ts'

const ALL = [schemasStatement('a`b'), ...statements({ database: 'a`b', schema: "it's", tables: ['x', 'y'] })]

test.each(ALL)('a parser reads $name, with values in it', async (statement) => {
  expect(await sqlFault(inlineValues(statement, 'databricks'), 'databricks')).toBeUndefined()
})

test('quotes the catalog and binds everything else', () => {
  expect(schemasStatement('a`b').text).toBe('select s.schema_name from `a``b`.information_schema.schemata s')
  const [tables] = statements({ database: 'main', schema: 'raw', tables: ['x', 'y'] })
  expect(tables?.values).toEqual(['raw', 'x', 'y'])
  expect(tables?.text).toContain('where t.table_schema = lower(?) and t.table_name in (lower(?), lower(?))')
  const many = Array.from({ length: 51 }, (_, at) => `t${at}`)
  expect(statements({ database: 'main', schema: 'raw', tables: many })[0]?.values).toEqual(['raw'])
})

test('reads nested types from the tree of Spark', () => {
  const tree = `Catalog: hive_metastore
Type: MANAGED
Schema: root
 |-- id: integer (nullable = false)
 |-- price: decimal(10,2) (nullable = true)
 |-- odd: name: string (nullable = true)
 |-- lines: array (nullable = true)
 |    |-- element: struct (containsNull = true)
 |    |    |-- sku: string (nullable = true)
 |    |    |-- sizes: map (nullable = true)
 |    |    |    |-- key: string
 |    |    |    |-- value: short (valueContainsNull = true)
 |-- at: timestamp (nullable = true)

`
  expect(readSparkSchema(tree)).toEqual([
    { name: 'id', type: 'int', nullable: false },
    { name: 'price', type: 'decimal(10,2)', nullable: true },
    { name: 'odd: name', type: 'string', nullable: true },
    { name: 'lines', type: 'array<struct<sku:string,sizes:map<string,smallint>>>', nullable: true },
    { name: 'at', type: 'timestamp', nullable: true },
  ])
  expect(readSparkSchema('Type: VIEW\n')).toEqual([])
})

test('prints no statement for the Hive metastore, because it is not a query', () => {
  expect(() => printedStatements({ database: 'hive_metastore', schema: 'raw' })).toThrow(
    'schema: expected a schema in a catalog of Unity Catalog, got hive_metastore; connect to it',
  )
  expect(printedStatements({ schema: 'raw' })[0]?.text).toContain('from information_schema.tables t')
})
