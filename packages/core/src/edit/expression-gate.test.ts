import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { type ExpressionGate, loadExpressionGate, type ReadExpression } from './expression-gate.ts'
import { describeRefusedCall, type ExpressionColumn } from './expression-vocabulary.ts'

/** Expressions that people write in staging models. Columns: a, b, amount, status, email, created_at, month. */
const BENIGN: Readonly<Record<DialectName | 'everywhere', readonly string[]>> = {
  everywhere: [
    'a',
    "'it is'",
    '-1',
    '1.5',
    "coalesce(a, b, 'none')",
    "nullif(trim(status), '')",
    'lower(email)',
    "upper(ltrim(rtrim(replace(email, ' ', ''))))",
    'round(amount / 100.0, 2)',
    'abs(a - b) * (a + 1)',
    "case when status in ('paid', 'settled') then 1 when status is null then 0 else -1 end",
    "case status when 'a' then 'active' else 'inactive' end",
    "case when a >= 1 and not b <> 2 or a between 1 and 10 then 'x' end",
    "case when status not in (1, 2, -3) and email not like '%@example.com' then a end",
    'case when (a is not null) then a else b end',
    "concat(a, '-', b)",
    'substring(email, 1, 3)',
    'floor(amount)',
    'cast(created_at as date)',
    'case\n    when a = 1 then b\nend',
  ],
  athena: ['cast(a as bigint)', 'a / 1000e0', "date_trunc('month', created_at)", "split_part(email, '@', 2)"],
  bigquery: [
    'safe_cast(a as int64)',
    'cast(a as numeric)',
    'date_trunc(created_at, month)',
    'timestamp_seconds(a)',
    'timestamp_diff(a, b, second)',
    "parse_date('%Y-%m-%d', status)",
    'date_add(created_at, interval 1 day)',
    'extract(year from created_at)',
    "if(a = 1, 'x', 'y')",
    'left(email, 3)',
  ],
  clickhouse: [
    'cast(a as Nullable(Int64))',
    "cast(a as Nullable(DateTime64(6, 'UTC')))",
    'a::String',
    'toInt64OrNull(a)',
    "dateDiff('day', a, b)",
    "replaceAll(email, ' ', '')",
    'created_at + interval 1 day',
    "if(a = 1, 'x', 'y')",
  ],
  databricks: [
    'cast(a as decimal(38, 9))',
    'a::string',
    'a::timestamp_ntz',
    'try_cast(a as int)',
    "date_trunc('month', created_at)",
    'dateadd(day, 1, created_at)',
    'datediff(day, a, b)',
    "from_utc_timestamp(created_at, 'UTC')",
    'nvl(a, b)',
    "split_part(email, '@', 2)",
    'year(created_at)',
    "date '2020-01-01'",
  ],
  duckdb: [
    'a::bigint',
    'cast(a as decimal(38, 9))',
    'cast(a as double)',
    "date_trunc('month', created_at)",
    "split_part(email, '@', 2)",
    "created_at at time zone 'UTC'",
    "strptime(status, '%Y-%m-%d')",
    'extract(year from created_at)',
    'left(email, 3)',
  ],
  mysql: [
    'cast(a as signed)',
    'cast(a as decimal(38, 9))',
    'cast(a as datetime(6))',
    "if(a = 1, 'x', 'y')",
    'ifnull(a, b)',
    "date_format(created_at, '%Y-%m')",
    "substring_index(email, '@', -1)",
    'timestampdiff(second, a, b)',
    'date_add(created_at, interval 1 day)',
    'extract(year from created_at)',
  ],
  postgres: [
    'a::numeric(38, 9)',
    'a::timestamp with time zone',
    'cast(a as double precision)',
    'cast(a as uuid)',
    "date_trunc('month', created_at)",
    "split_part(email, '@', 2)",
    "created_at at time zone 'UTC'",
    'extract(year from created_at)',
    "timestamp '2020-01-01' + a * interval '1 second'",
    "status ilike 'x%'",
    'left(email, 3)',
    "'it''s'",
    'a is true',
    '-(a + b) || status',
  ],
  redshift: [
    'a::varchar(10)',
    'nvl(a, b)',
    "convert_timezone('UTC', created_at)",
    'dateadd(day, 1, created_at)',
    'datediff(second, a, b)',
    "split_part(email, '@', 2)",
    "timestamp 'epoch' + a * interval '1 second'",
    "decode(status, 'a', 1, 0)",
  ],
  snowflake: [
    'a::number(38, 0)',
    'try_cast(a as date)',
    "iff(a = 1, 'x', 'y')",
    "convert_timezone('UTC', created_at)",
    'dateadd(day, 1, created_at)',
    'datediff(day, a, b)',
    'try_to_number(a)',
    'to_timestamp_ntz(a, 3)',
    "split_part(email, '@', 2)",
    'date_trunc(month, created_at)',
    'zeroifnull(a)',
    '"MONTH"',
  ],
  sqlite: [
    'cast(a as integer)',
    'ifnull(a, b)',
    "datetime(a, 'unixepoch')",
    "iif(a = 1, 'x', 'y')",
    "substr(email, 1, instr(email, '@'))",
  ],
  sqlserver: [
    'cast(a as nvarchar(4000))',
    'cast(a as datetime2(6))',
    'isnull(a, b)',
    'left(email, 3)',
    'dateadd(second, a, b)',
    'datediff(day, a, b)',
    "iif(a = 1, 'x', 'y')",
    'len(email)',
    "charindex('@', email)",
  ],
  trino: [
    'cast(a as bigint)',
    'try_cast(a as double)',
    "date_trunc('month', created_at)",
    "split_part(email, '@', 2)",
    'from_unixtime(a)',
    "if(a = 1, 'x', 'y')",
  ],
}

/** Refused by every dialect, alone and as an argument of a call. */
const HOSTILE: readonly string[] = [
  // other tables, other columns
  '(select ssn from hr.people)',
  'a in (select ssn from people)',
  'a = any(select 1)',
  'a = any(b)',
  'exists(select 1)',
  'exists (select 1 from people)',
  'not exists(select 1 from people)',
  'ssn',
  'Ssn + a',
  't.a',
  'stagecraft_table.a',
  'stagecraft_table',
  'hr.people.ssn',
  'a.b',
  'a .b',
  '*',
  't.*',
  'a * *',
  'a -- b',
  'columns(a)',
  // more than one expression
  'a, b',
  'a as b',
  'a as b, c',
  'a b',
  "a 'b'",
  'a from people',
  'a from stagecraft_table union select ssn from people',
  'a union all select ssn from people',
  'a) from secrets where (1=1',
  'a) as x, (select 1',
  'a into outfile x',
  'a where 1 = 1',
  'a limit 1',
  'a order by b',
  'a group by 1',
  'a qualify row_number() over (order by a) = 1',
  'distinct a',
  'all a',
  'top 1 a',
  '(a, b)',
  '1; drop table x',
  'a;',
  'with x as (select 1) select 1',
  'a)',
  '(a',
  'lower(a',
  'case when a then b',
  'cast(a as int) as b',
  // Jinja, comments, parameters
  "{{ run_query('drop table x') }}",
  "'{{ env_var(1) }}'",
  "'{% set x = 1 %}'",
  "'{# x'",
  "'x #}'",
  "'}}'",
  'a /* b */',
  'a -- comment',
  'a --',
  'a # comment',
  'a // comment',
  '/*! ssn */ a',
  '$1',
  '$$x$$',
  '$tag$x$tag$',
  '?',
  ':a',
  '@a',
  '@@version',
  '@@global.secure_file_priv',
  '%(name)s',
  // texts that end elsewhere
  "'a",
  "a'",
  "'a'b'",
  "'a''",
  String.raw`'\' or ssn = '`,
  String.raw`'a\'`,
  String.raw`E'a\'b'`,
  "E'a'",
  "n'a'",
  "x'00'",
  "_utf8'a'",
  "U&'a'",
  "'a' 'b'",
  "'a'\n'b'",
  "'''a'''b",
  '"a',
  '`a',
  '[ssn]',
  '`a``b`',
  '"a""b"',
  "'a\nb'",
  'a\u0000',
  'a\u200b',
  'a\u202e',
  "'\u202ea'",
  "'\ufeff'",
  "'\u02bc or 1 = 1'",
  'а', // Cyrillic
  'a\u00a0+ b',
  "'\ud800'",
  'a\t+ b',
  // calls
  "getenv('HOME')",
  "pg_read_file('/etc/passwd')",
  "read_csv('secrets.csv')",
  "read_text('/etc/passwd')",
  "load_extension('x')",
  "load_file('/etc/passwd')",
  "url('http://example.com')",
  "file('/etc/passwd')",
  'version()',
  'pg_sleep(10)',
  'sleep(10)',
  'benchmark(1000000, a)',
  "nextval('x')",
  "dblink('x', 'y')",
  "xmlparse(document '<x/>')",
  "set_config('x', 'y', false)",
  "ai_query('model', a)",
  "secret('scope', 'key')",
  "repeat('x', 1000000000)",
  'random()',
  'now()',
  'coalesce()',
  'udf.f(a)',
  'pg_catalog.lower(a)',
  '"lower"(a)',
  'lower (ssn)',
  'current_user',
  'current_user()',
  'session_user',
  'user',
  'user()',
  'current_timestamp',
  'current_date',
  'CURRENT_DATE',
  'localtimestamp',
  "cast('now' as timestamp)",
  "cast(' NOW' as date)",
  'count(*)',
  'count(a)',
  'sum(a)',
  'max(a)',
  'string_agg(a, b)',
  'lower(distinct a)',
  'row_number() over ()',
  'lag(a) over (order by b)',
  'sum(a) over (partition by b)',
  'lower(a) over ()',
  'lower(a) filter (where b)',
  'lower(a => b)',
  'unnest(a)',
  'flatten(a)',
  'lateral a',
  'array[a]',
  'array(a)',
  '[a, b]',
  'struct(a)',
  'row(a, b)',
  '{a: b}',
  "a @> 'b'",
  "a @? '$.*'",
  'a:b[*].c',
  'x -> x + 1',
  'transform(a, x -> x)',
  'a ~ b',
  'a & b',
  'a ^ b',
  'a := 1',
  'a in (b)',
  'a in (lower(b))',
  'a in ()',
  'quarter',
  'extract(ssn from a)',
  'extract(year from ssn)',
  'extract(year from (select 1))',
  'interval ssn day',
  "interval '1' ssn",
  'trim(both from ssn)',
  // casts
  "'pg_authid'::regclass",
  "cast('pg_authid' as regclass)",
  'cast(a as oid)',
  'cast(a as public.mood)',
  'cast(a as text[])',
  'cast(a as struct<b int>)',
  'cast(a as ssn)',
  'cast(a as varchar(select 1))',
  'cast(a as date format ssn)',
  'cast(ssn as date)',
  'cast(a)',
  'convert(ssn, char)',
  'a::(select 1)',
  'a collate ssn',
  'a at time zone ssn',
  'a is of (ssn)',
  'case ssn when 1 then 2 end',
  'case when a then ssn end',
  '0x41',
  '1a',
  '1.a',
  '1e',
  '.5',
  '',
]

/** Refused by one dialect, for a meaning that only it gives them. */
const HOSTILE_TO: Partial<Record<DialectName, readonly string[]>> = {
  athena: ["date_parse(a, '%Y') from x", '"$path"', 'try(a)'],
  bigquery: [
    "'''x'''",
    "'it''s'",
    '"a"',
    "b'a'",
    '_table_suffix',
    'net.host(a)',
    "error('x')",
    'a::int64',
    '@@project_id',
    'session_user()',
  ],
  clickhouse: [
    "dictGet('d', 'a', 1)",
    'hostName()',
    "file('x')",
    "joinGet('t', 'v', a)",
    'LOWER(a) as b',
    '`ssn`',
    'SUBSTRING(a, 1)',
    'a ? b : b',
    'tupleElement(a, 1)',
    "getSetting('x')",
  ],
  databricks: [
    '"a"',
    "reflect('java.lang.System', 'getenv', 'HOME')",
    "java_method('x', 'y')",
    'input_file_name()',
    '_metadata',
    'try_cast(a as map<int, int>)',
    "secret('a', 'b')",
    'current_catalog()',
    'unix_timestamp()',
  ],
  duckdb: [
    "getvariable('x')",
    "read_parquet('x')",
    "glob('*')",
    'columns(*)',
    'a::struct(b int)',
    'list_transform(a, x -> x)',
    'a.lower()',
    '#1',
    '$a',
    'duckdb_secrets()',
    "current_setting('x')",
    'a::int[]',
    "'now'::timestamp",
  ],
  mysql: [
    '"a"',
    '@@session.time_zone',
    '@a := 1',
    "load_file('/etc/passwd')",
    'sleep(1)',
    'a div b',
    '/*!50000 a */',
    'a || @b',
    "_binary 'a'",
    'connection_id()',
    'last_insert_id()',
    'database()',
    'utc_timestamp',
  ],
  postgres: [
    "lo_import('/etc/passwd')",
    "pg_ls_dir('.')",
    "query_to_xml('select 1', true, false, '')",
    "U&'\\0061'",
    'ctid',
    'xmin',
    "'x'::regproc",
    'a::name',
    'current_catalog',
    'system_user',
    'current_role',
    "current_setting('x')",
    'a operator(pg_catalog.+) b',
    'variadic a',
    'a is json',
    "timestamp 'now'",
    "date 'today'",
    'stagecraft_table::text',
  ],
  redshift: [
    'a.b.c',
    'sysdate',
    'getdate()',
    'pg_backend_pid()',
    'current_user_id',
    'f_udf(a)',
    'object(a, b)',
    'json_parse(a)',
  ],
  snowflake: [
    '$1',
    'metadata$filename',
    'system$typeof(a)',
    'seq.nextval',
    "get_ddl('table', 'x')",
    'current_role()',
    'current_account()',
    "build_scoped_file_url(a, 'x')",
    '"a"',
    'identifier(a)',
    'object_construct(*)',
    'a::variant:b',
    'try_cast(a as file)',
    "snowflake.cortex.complete('m', a)",
    'sysdate()',
  ],
  sqlite: [
    "load_extension('x')",
    'rowid',
    '_rowid_',
    "datetime('now')",
    "date('now', 'start of month')",
    'datetime()',
    "datetime('subsec')",
    "strftime('%s')",
    "readfile('/etc/passwd')",
    "writefile('x', a)",
    'edit(a)',
    'a match b',
    "a glob 'b'",
    'cast(a as anything int)',
    'sqlite_version()',
    'randomblob(1000000000)',
    'zeroblob(1000000000)',
    'raise(ignore)',
    "'a' || `b`",
  ],
  sqlserver: [
    '[a]',
    '@@version',
    'host_name()',
    "openrowset(bulk 'x', single_clob)",
    "openquery(x, 'y')",
    'suser_sname()',
    'newid()',
    'next value for x',
    'a for json auto',
    "xp_cmdshell('dir')",
    "a.value('x', 'y')",
    'getdate()',
    'system_user',
    '$identity',
    "N'a'",
    'top (1) a',
    '{fn now()}',
    'x = a',
  ],
  trino: [
    '"$path"',
    'current_catalog',
    'try(a)',
    "json_path(a, '$')",
    'a.b',
    'row(1)',
    'at_timezone(a, ssn)',
    'transform(array[1], x -> x)',
    'current_path',
    "system.runtime.kill_query('x')",
  ],
}

const NAMES = Object.keys(DIALECTS) as DialectName[]

/** Columns as the dialect stores them, so that an unquoted `a` reads one of them. */
function columnsOf(name: DialectName): readonly ExpressionColumn[] {
  const stored = ['a', 'b', 'amount', 'status', 'email', 'created_at', 'month', 'user', 'current_user']
  const folded =
    DIALECTS[name].identifiers.folds === 'upper' ? stored.map((column) => column.toUpperCase()) : stored
  return texts(...folded, 'Mixed Case', 'größe')
}

const gates = new Map<DialectName, ExpressionGate>()
for (const name of NAMES) gates.set(name, await loadExpressionGate(DIALECTS[name]))

function texts(...names: readonly string[]): readonly ExpressionColumn[] {
  return names.map((each) => ({ name: each, family: 'string' }))
}

function fault(name: DialectName, expression: string): string | undefined {
  return refusal(gates.get(name)?.(expression, columnsOf(name)))
}

/** Returns the objection of a gate to an expression. */
function refusal(read: ReadExpression | string | undefined): string | undefined {
  return typeof read === 'string' ? read : undefined
}

/** A name in the quotes of the dialect. */
function quote(name: DialectName, column: string): string {
  return DIALECTS[name].identifiers.quotes.join(column)
}

/** Syntax that reads documents and lists or matches patterns, with the dialects that have it. */
const SYNTAX: readonly (readonly [expression: string, dialects: readonly DialectName[]])[] = [
  ["a -> 'b'", ['duckdb', 'mysql', 'postgres', 'sqlite']],
  ["a ->> 'b'", ['duckdb', 'mysql', 'postgres', 'sqlite']],
  ["a #> '{b}'", ['postgres']],
  ['a:b.c', ['databricks', 'snowflake']],
  ['a:b::string', ['databricks', 'snowflake']],
  [
    'a[1]',
    [
      'athena',
      'bigquery',
      'clickhouse',
      'databricks',
      'duckdb',
      'postgres',
      'redshift',
      'snowflake',
      'trino',
    ],
  ],
  ["split(a, ',')[safe_offset(0)]", ['bigquery']],
  ["json_query(a, '$.b')", ['bigquery', 'sqlserver']],
  ["regexp_replace(a, r'\\d+', '')", ['bigquery', 'databricks']],
  ['safe.substr(a, 1)', ['bigquery']],
  ["a regexp '^b'", ['databricks', 'mysql', 'snowflake']],
  ["a ~ '^b'", ['postgres', 'redshift']],
  ['parse_json(a)', ['bigquery', 'databricks', 'snowflake']],
  ['try_convert(date, a, 112)', ['sqlserver']],
]

test.each(SYNTAX)('accepts %s only where the dialect has it', (expression, dialects) => {
  const accepting = NAMES.filter((name) => fault(name, expression) === undefined)
  expect(accepting.toSorted()).toEqual(dialects.toSorted())
})

function functionsOf(name: DialectName): readonly string[] {
  return Object.values(DIALECTS[name].functions.results).flatMap((list) => list.split(/\s+/))
}

describe.each(NAMES)('%s', (name) => {
  test.each([...BENIGN.everywhere, ...BENIGN[name]])('accepts %s', (expression) => {
    expect(fault(name, expression)).toBeUndefined()
  })

  test('accepts names in quotes as they are stored, in any script', () => {
    expect(fault(name, `lower(${quote(name, 'Mixed Case')})`)).toBeUndefined()
    expect(fault(name, `coalesce(${quote(name, 'größe')}, 'größer')`)).toBeUndefined()
    expect(fault(name, quote(name, 'mixed case'))).toBeTypeOf('string')
    expect(fault(name, quote(name, 'ssn'))).toBeTypeOf('string')
  })

  test.each([...HOSTILE, ...(HOSTILE_TO[name] ?? [])])('refuses %s', (expression) => {
    expect(fault(name, expression)).toBeTypeOf('string')
    expect(fault(name, `coalesce(b, (${expression}))`)).toBeTypeOf('string')
  })

  test('accepts the parts of its own idioms', () => {
    const { cents, concat, epoch, flagged, notFlagged, textLength } = DIALECTS[name].idioms
    const idioms = [cents, flagged, notFlagged, textLength, ...Object.values(epoch), concat]
    const filled = idioms.map((idiom) =>
      idiom.replaceAll('{x}', 'a').replaceAll('{a}', 'a').replaceAll('{b}', 'b'),
    )
    const refused = filled.filter((idiom) => fault(name, idiom) !== undefined)
    // A width of printf can fill the memory, so no model may call it.
    expect(refused.filter((idiom) => !idiom.includes('printf('))).toEqual([])
  })

  test('calls no function that its grammar takes for an aggregate', () => {
    const aggregates = /^(?:any_value|avg|count|max|median|min|sum|\w+_agg|listagg|group_concat)$/
    expect(functionsOf(name).filter((each) => aggregates.test(each))).toEqual([])
  })
})

test('never repeats a part of the expression', () => {
  const faults = HOSTILE.map((expression) => fault('postgres', expression) ?? '')
  expect(faults.filter((text) => /ssn|secrets|people|HOME|passwd/.test(text))).toEqual([])
})

test('refuses an expression that is too long, too deep or empty', () => {
  expect(fault('postgres', `'${'x'.repeat(10_000)}'`)).toContain('500 characters')
  expect(fault('postgres', `${'('.repeat(200)}a${')'.repeat(200)}`)).toContain('deep')
  expect(fault('postgres', `${'lower('.repeat(60)}a${')'.repeat(60)}`)).toContain('deep')
  expect(fault('postgres', ' ')).toContain('empty')
  expect(fault('mysql', `${'cast('.repeat(4)}a${' as date)'.repeat(4)}`)).toContain('casts 3 deep')
  expect(fault('postgres', `a${" * interval '1 second'".repeat(4)}`)).toContain('3 intervals')
})

test('lists the allowed functions', () => {
  expect(fault('postgres', "getenv('HOME')")).toContain('split_part')
})

test.each([
  ['now()', 'it calls now(), which is not allowed here'],
  ['secret_function(a)', 'it calls a function that is not allowed here'],
  ['a +', undefined],
])('describes %s to a person without the list of functions', (expression, described) => {
  expect(describeRefusedCall(fault('postgres', expression) ?? '')).toBe(described)
})

test('reads a name as the dialect folds it', () => {
  expect(refusal(gates.get('snowflake')?.('Amount + 1', texts('AMOUNT')))).toBeUndefined()
  expect(refusal(gates.get('snowflake')?.('"amount" + 1', texts('AMOUNT')))).toBeTypeOf('string')
  expect(refusal(gates.get('postgres')?.('AMOUNT + 1', texts('amount')))).toBeUndefined()
  expect(refusal(gates.get('postgres')?.('amount + 1', texts('Amount')))).toBeTypeOf('string')
  expect(refusal(gates.get('clickhouse')?.('Amount + 1', texts('amount')))).toBeTypeOf('string')
  expect(refusal(gates.get('duckdb')?.('AMOUNT + 1', texts('Amount')))).toBeUndefined()
})

describe('without the optional parser', () => {
  const missing = { loadFallback: () => Promise.reject(new Error('not found')) }

  test.each(['databricks', 'clickhouse'] as const)('%s refuses everything', async (name) => {
    const gate = await loadExpressionGate(DIALECTS[name], missing)
    expect(refusal(gate('a', texts('a')))).toContain('@polyglot-sql/sdk')
  })

  test('of both kinds, a dialect with a grammar refuses everything too', async () => {
    const loadGrammar = () => Promise.reject(new Error('not found'))
    const gate = await loadExpressionGate(DIALECTS.duckdb, { ...missing, loadGrammar })
    expect(refusal(gate('a', texts('a')))).toContain('node-sql-parser and @polyglot-sql/sdk')
  })

  test('a dialect with a grammar reads what the grammar knows', async () => {
    const gate = await loadExpressionGate(DIALECTS.duckdb, missing)
    expect(refusal(gate('a', texts('a')))).toBeUndefined()
  })

  test('a package with another interface counts as missing', async () => {
    const gate = await loadExpressionGate(DIALECTS.databricks, { loadFallback: () => Promise.resolve({}) })
    expect(refusal(gate('a', texts('a')))).toContain('@polyglot-sql/sdk')
  })
})
