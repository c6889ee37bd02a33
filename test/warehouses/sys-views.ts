// The views of sys as their pages describe them, with a database in them, so that the statements of the catalog are run
// and not only recognized. DuckDB runs them: it reads what they use of Transact-SQL.
// Pages: https://learn.microsoft.com/sql/relational-databases/system-catalog-views/catalog-views-transact-sql
import { type DuckDBConnection, DuckDBInstance, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import type { Asked, Outcome, SqlType } from './tds-messages.ts'

// The type of an object has a blank after it in char(2), which comparisons of SQL Server ignore.
const VIEWS = `
attach ':memory:' as shop;
use shop;
create schema sys;
create schema dbo;
create table dbo."Customers" ("Id" integer, "Name" varchar);
insert into dbo."Customers" values (1, 'Ada'), (2, 'Bob');
create table dbo."OrdersHistory" ("Id" integer);
create view dbo."Open Orders" as select "Id" from dbo."OrdersHistory";
create table sys.schemas (name varchar, schema_id integer);
create table sys.objects (name varchar, object_id integer, schema_id integer, type varchar, is_ms_shipped boolean);
create table sys.tables (name varchar, object_id integer, schema_id integer, is_external boolean, history_table_id integer);
create table sys.types (name varchar, system_type_id utinyint, user_type_id integer);
create table sys.columns (object_id integer, name varchar, column_id integer, system_type_id utinyint, user_type_id integer,
  max_length smallint, precision utinyint, scale utinyint, is_nullable boolean, default_object_id integer, is_hidden boolean);
create table sys.default_constraints (object_id integer, definition varchar);
create table sys.extended_properties (class utinyint, major_id integer, minor_id integer, name varchar, value varchar);
create table sys.partitions (object_id integer, index_id integer, partition_number integer, rows bigint);
create table sys.indexes (object_id integer, name varchar, index_id integer, type utinyint, is_unique boolean,
  is_primary_key boolean, has_filter boolean, is_disabled boolean);
create table sys.index_columns (object_id integer, index_id integer, column_id integer, key_ordinal utinyint,
  partition_ordinal utinyint);
create table sys.foreign_keys (name varchar, object_id integer, parent_object_id integer, referenced_object_id integer,
  is_disabled boolean, is_not_trusted boolean);
create table sys.foreign_key_columns (constraint_object_id integer, constraint_column_id integer,
  parent_object_id integer, parent_column_id integer, referenced_object_id integer, referenced_column_id integer);
create table sys.check_constraints (name varchar, object_id integer, parent_object_id integer, parent_column_id integer,
  definition varchar, is_disabled boolean, is_not_trusted boolean);
`

/**
 * A shop: customers, orders with their history, a view, a table of another schema and one of SQL Server. The alias type
 * Money2 is of decimal. Indexes that are filtered or disabled, and keys that are not trusted, are there too.
 */
const SHOP = `
insert into sys.schemas values ('dbo', 1), ('sales', 5), ('sys', 4), ('db_owner', 16384);
insert into sys.types values ('int', 56, 56), ('nvarchar', 231, 231), ('sysname', 231, 256), ('decimal', 106, 106),
  ('Money2', 106, 257), ('datetime2', 42, 42), ('bit', 104, 104), ('varbinary', 165, 165), ('geography', 240, 130);
insert into sys.objects values ('Customers', 1, 1, 'U', false), ('Orders', 2, 1, 'U', false),
  ('OrdersHistory', 3, 1, 'U', false), ('Open Orders', 4, 1, 'V', false), ('Regions', 5, 5, 'U', false),
  ('spt_values', 6, 1, 'U', true), ('do_it', 7, 1, 'P', false);
insert into sys.tables values ('Customers', 1, 1, false, null), ('Orders', 2, 1, false, 3),
  ('OrdersHistory', 3, 1, false, null), ('Regions', 5, 5, true, null), ('spt_values', 6, 1, false, null);
insert into sys.columns values
  (1, 'Id', 1, 56, 56, 4, 10, 0, false, 0, false), (1, 'Name', 2, 231, 256, 256, 0, 0, false, 0, false),
  (2, 'Id', 1, 56, 56, 4, 10, 0, false, 0, false), (2, 'CustomerId', 2, 56, 56, 4, 10, 0, false, 0, false),
  (2, 'State', 3, 231, 231, 40, 0, 0, true, 91, false), (2, 'Total', 4, 106, 257, 9, 12, 2, true, 0, false),
  (2, 'ValidFrom', 5, 42, 42, 8, 27, 7, false, 0, true), (2, 'Paid', 6, 104, 104, 1, 1, 0, true, 0, false),
  (2, 'Document', 7, 165, 165, -1, 0, 0, true, 0, false), (2, 'Place', 8, 240, 130, -1, 0, 0, true, 0, false),
  (3, 'Id', 1, 56, 56, 4, 10, 0, false, 0, false), (4, 'Id', 1, 56, 56, 4, 10, 0, false, 0, false),
  (5, 'Id', 1, 56, 56, 4, 10, 0, false, 0, false), (6, 'number', 1, 56, 56, 4, 10, 0, false, 0, false);
insert into sys.default_constraints values (91, '(N''new'')');
insert into sys.extended_properties values (1, 2, 0, 'MS_Description', 'Bought, für «alle»'),
  (1, 2, 3, 'MS_Description', 'Where it is'), (1, 2, 3, 'Other', 'no'), (7, 2, 1, 'MS_Description', 'of an index');
insert into sys.partitions values (1, 1, 1, 7), (2, 1, 1, 9000000000), (2, 1, 2, 12), (2, 2, 1, 9000000012), (3, 0, 1, 40);
insert into sys.indexes values (1, 'PK_Customers', 1, 1, true, true, false, false),
  (1, 'UQ_Name', 2, 2, true, false, false, false), (2, 'PK_Orders', 1, 1, true, true, false, false),
  (2, 'UQ_State', 2, 2, true, false, true, false), (2, 'UQ_Total', 3, 2, true, false, false, true),
  (3, null, 0, 0, false, false, false, false);
insert into sys.index_columns values (1, 1, 1, 1, 0), (1, 2, 2, 1, 0), (2, 1, 1, 1, 1), (2, 2, 3, 1, 0), (2, 3, 4, 1, 0);
insert into sys.foreign_keys values ('FK_Customer', 81, 2, 1, false, false), ('FK_History', 82, 3, 2, false, true);
insert into sys.foreign_key_columns values (81, 1, 2, 2, 1, 1), (82, 1, 3, 1, 2, 1);
insert into sys.check_constraints values
  ('CK_State', 71, 2, 3, '([State]=N''done'' OR [State]=N''new'')', false, false),
  ('CK_Paid', 72, 2, 6, '([Paid]=(1))', true, false);
`

export interface SysViews {
  readonly answer: (asked: Asked) => Promise<Outcome>
  readonly close: () => void
}

export async function openSysViews(): Promise<SysViews> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  // of two whole numbers the result is one
  for (const text of ['set integer_division = true', VIEWS, SHOP]) await connection.run(text)
  return {
    answer: (asked) => answerOf(connection, asked),
    close: () => connection.closeSync(),
  }
}

async function answerOf(connection: DuckDBConnection, { parameters, text }: Asked): Promise<Outcome> {
  if (text.includes('waitfor')) return 'never ends'
  try {
    const [, statement = text] =
      /^set xact_abort on; begin transaction; (.*); rollback transaction$/s.exec(text) ?? []
    const reader = await connection.runAndReadAll(statement.replaceAll(/@(p\d+)/g, '$$$1'), parameters)
    const types = reader.columnTypes()
    const columns = reader.columnNames().map((name, at) => [name, typeOf(name, types[at])] as const)
    return { columns, rows: reader.getRows() }
  } catch (error) {
    return { error: { number: 102, message: error instanceof Error ? error.message : String(error) } }
  }
}

const INTEGERS: Readonly<Partial<Record<DuckDBTypeId, SqlType>>> = {
  [DuckDBTypeId.BOOLEAN]: 'bit',
  [DuckDBTypeId.UTINYINT]: 'tinyint',
  [DuckDBTypeId.SMALLINT]: 'smallint',
  [DuckDBTypeId.INTEGER]: 'int',
  [DuckDBTypeId.BIGINT]: 'bigint',
  [DuckDBTypeId.HUGEINT]: 'bigint', // a sum of bigint
}

/** Literals are of varchar, names of nvarchar, and definitions of nvarchar(max). */
function typeOf(name: string, type: DuckDBType | undefined): SqlType {
  if (name.endsWith('_type') && name !== 'data_type') return 'varchar'
  if (/^(?:definition|column_default)$/.test(name)) return 'nvarchar(max)'
  return (type && INTEGERS[type.typeId]) ?? 'nvarchar'
}
