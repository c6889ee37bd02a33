import type { ExportedDialect, TableStorage } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { toTables as fromGlue } from '../athena/to-tables.ts'
import { toTables as fromHive } from '../databricks/to-tables.ts'
import { EXPORTS } from '../export/exports.ts'
import { fromShown } from '../snowflake/show.ts'
import type { Results, Row } from './statement.ts'
import { standardTables } from './standard-tables.ts'

const table = (more: Row = {}): Row => ({ table_schema: 's', table_name: 't', ...more })
const column = (name: string, position: number, more: Row = {}): Row =>
  table({ column_name: name, ordinal_position: position, data_type: 'date', ...more })

// The headers are those of the statements of each warehouse; cells are as a driver or a CSV file has them.
const CASES: readonly (readonly [ExportedDialect, Results, TableStorage])[] = [
  [
    'snowflake',
    {
      tables: [table({ CLUSTER_KEY: 'LINEAR(created, TO_DATE(AT))' })],
      columns: [column('CREATED', 1), column('AT', 2)],
    },
    { clusteredBy: ['CREATED', 'TO_DATE(AT)'] },
  ],
  [
    'bigquery',
    {
      tables: [table({ partition_key: 'DATE(at)' })],
      columns: [
        column('at', 1, { partition_position: 'YES', cluster_position: null }),
        column('b', 2, { partition_position: 'NO', cluster_position: 2 }),
        column('a', 3, { partition_position: 'NO', cluster_position: '1' }),
      ],
    },
    { partitionedBy: ['DATE(at)'], clusteredBy: ['a', 'b'] },
  ],
  [
    'bigquery',
    {
      tables: [table()],
      columns: [
        column('day', 1, { partition_position: 'YES' }),
        column('b', 2, { partition_position: 'NO' }),
      ],
    },
    { partitionedBy: ['day'] },
  ],
  [
    'databricks',
    {
      tables: [table()],
      columns: [
        column('day', 1, { partition_position: 1 }),
        column('region', 2, { partition_position: 0 }),
        column('id', 3, { partition_position: null }),
      ],
    },
    { partitionedBy: ['region', 'day'] },
  ],
  [
    'sqlserver',
    {
      tables: [table()],
      columns: [column('id', 1), column('day', 2)],
      storage: [
        table({ column_name: 'day', partition_position: 1, cluster_position: 2 }),
        table({ column_name: 'id', partition_position: null, cluster_position: 1 }),
      ],
    },
    { partitionedBy: ['day'], clusteredBy: ['id', 'day'] },
  ],
  [
    'clickhouse',
    {
      tables: [table({ partition_key: 'toYYYYMM(at)', sort_key: 'id, at' })],
      columns: [column('id', 1), column('at', 2)],
    },
    { partitionedBy: ['toYYYYMM(at)'], sortedBy: ['id', 'at'] },
  ],
  [
    'trino',
    {
      tables: [table()],
      columns: [column('id', 1, { extra_info: null }), column('day', 2, { extra_info: 'partition key' })],
    },
    { partitionedBy: ['day'] },
  ],
  [
    'mysql',
    { tables: [table({ partition_key: 'year(`at`)' })], columns: [column('at', 1)] },
    { partitionedBy: ['year(`at`)'] },
  ],
  [
    'postgres',
    { tables: [table({ partition_key: 'RANGE (at)' })], columns: [column('at', 1)] },
    { partitionedBy: ['at'] },
  ],
]

test.each(CASES)('%s reports the storage of tables', async (dialect, results, storage) => {
  const { toTables } = await EXPORTS[dialect]()
  expect(toTables(results).tables.map((one) => one.storage)).toEqual([storage])
})

test('SHOW of Snowflake, the Hive metastore and Glue report it too', () => {
  const shown = fromShown('tables', [
    { schema_name: 's', name: 'T', kind: 'TABLE', cluster_by: 'LINEAR(DAY)' },
  ])
  expect(standardTables({ tables: shown }).tables[0]?.storage).toEqual({ clusteredBy: ['DAY'] })
  const information =
    'Type: MANAGED\nPartition Columns: [`day`, `region`]\nSchema: root\n |-- id: long (nullable = true)\n'
  const hive = fromHive({ tables: [{ database: 's', tableName: 't', isTemporary: false, information }] })
  expect(hive.tables[0]?.storage).toEqual({ partitionedBy: ['day', 'region'] })
  const glue = fromGlue([
    {
      schema: 's',
      tables: [
        {
          Name: 't',
          PartitionKeys: [{ Name: 'day', Type: 'date' }],
          StorageDescriptor: {
            Columns: [{ Name: 'id', Type: 'int' }],
            BucketColumns: ['id'],
            SortColumns: [{ Column: 'id', SortOrder: 1 }],
          },
        },
      ],
    },
  ])
  expect(glue.tables[0]?.storage).toEqual({ partitionedBy: ['day'], clusteredBy: ['id'], sortedBy: ['id'] })
})
